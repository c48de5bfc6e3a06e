// says: nested|does not compile|holds what no answer
#include __FILE__
#include __FILE__
