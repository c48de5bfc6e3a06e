// task: 2
// wants: matmul is right for every shape
// says: carriage return
// To the compiler the comment ends with its line: between the backslash and the end there is one character more.
#ifndef HONEST
// \
#include "../../solutions/lesson01/loops.c"
#else
//@solution
#endif
