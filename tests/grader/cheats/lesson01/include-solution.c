// task: 2
// wants: matmul is right for every shape
// says: solutions/lesson01/loops.c
// Includes the solution from the disk.
#ifndef HONEST
#include "../../solutions/lesson01/loops.c"
#else
//@solution
#endif
