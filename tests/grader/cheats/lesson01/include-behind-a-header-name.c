// task: 2
// wants: matmul is right for every shape
// says: __has_include
// The compiler reads the name of a header here, where another reader would see a comment begin.
#ifndef HONEST
// clang-format off
#if __has_include(</*>)
#endif
#include "../../solutions/lesson01/loops.c"
// */
// clang-format on
#else
//@solution
#endif
