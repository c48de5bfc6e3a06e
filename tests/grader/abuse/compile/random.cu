// says: /dev/random|the compiler was stopped|does not compile|holds what no answer
#include "/dev/random"
