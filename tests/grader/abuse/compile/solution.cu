// says: does not compile|holds what no answer
// hides: five_steps
#include "../../solutions/lesson02/kernels.cu"
