// says: does not compile|holds what no answer
asm(".incbin \"@ROOT@/solutions/lesson02/kernels.cu\"");
