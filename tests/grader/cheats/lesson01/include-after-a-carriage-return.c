// task: 2
// wants: matmul is right for every shape
// says: carriage return
// For the compiler the comment ends with its line, since the backslash is not the last character of the line.
#ifndef HONEST
// clang-format off
// \
#include "../../solutions/lesson01/loops.c"
// clang-format on
#else
//@solution
#endif
