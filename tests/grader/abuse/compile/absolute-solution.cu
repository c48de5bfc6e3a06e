// says: does not compile|was rejected without being run
#include "@ROOT@/solutions/lesson02/kernels.cu"
