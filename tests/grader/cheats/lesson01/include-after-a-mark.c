#include "../../solutions/lesson01/loops.c" // not HONEST
// task: 2
// wants: matmul is right for every shape
// says: includes "../../solutions
// Starts with a UTF-8 byte order mark, which the compiler ignores.
#ifndef HONEST
#else
//@solution
#endif
