// says: does not compile|holds what no answer
#include "@ROOT@/solutions/lesson02/kernels.cu"
