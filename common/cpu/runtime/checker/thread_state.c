/* What the running thread of the operating system knows while it checks. */
#include "checker/thread_state.h"
#if CUCC_CHECKED
__thread struct thread_state thread_state;

#endif
