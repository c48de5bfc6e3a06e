// says: does not compile|was rejected without being run
asm(".incbin \"@ROOT@/solutions/lesson02/kernels.cu\"");
