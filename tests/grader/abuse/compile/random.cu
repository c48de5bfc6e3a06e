// says: /dev/random|the compiler was stopped|does not compile|was rejected without being run
#include "/dev/random"
