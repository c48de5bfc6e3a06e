// task: 2
// wants: vector_add_device is right at every size
// says: beyond ASCII
// For the compiler 1é'a is one number. A reader that ends the number before é sees a character constant
// begin, and then a comment.
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
