// task: 2
// wants: vector_add_device is right at every size
// says: beyond ASCII
// To the compiler 1é'a is a number; who ends it before the é sees a character begin, then a comment.
#ifndef HONEST
// clang-format off
#define TEXT(x) #x
static const char *const text = TEXT(1é'a); static const int mark = '/*';
#include "../../solutions/lesson02/kernels.cu"
// */
// clang-format on
#else
//@solution
#endif
