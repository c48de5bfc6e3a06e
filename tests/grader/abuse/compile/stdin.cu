// says: does not compile|was rejected without being run
#include "/dev/stdin"
