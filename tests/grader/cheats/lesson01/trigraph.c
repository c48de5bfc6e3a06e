// task: 2
// wants: matmul is right for every shape
// says: a trigraph
// The same, with # written as a trigraph: three characters that C11 reads as one.
#ifndef HONEST
// clang-format off
??=include "../../solutions/lesson01/loops.c"
// clang-format on
#else
//@solution
#endif
