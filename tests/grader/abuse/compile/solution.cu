// says: does not compile|was rejected without being run
// hides: five_steps
#include "../../solutions/lesson02/kernels.cu"
