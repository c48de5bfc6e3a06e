#include "../../solutions/lesson01/loops.c" // not HONEST
// task: 2
// wants: matmul is right for every shape
// says: includes "../../solutions
// Behind the mark of UTF-8, which is no text to the compiler.
#ifndef HONEST
#else
//@solution
#endif
