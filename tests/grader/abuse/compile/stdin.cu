// says: does not compile|holds what no answer
#include "/dev/stdin"
