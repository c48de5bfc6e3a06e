// says: nested|does not compile|was rejected without being run
#include __FILE__
#include __FILE__
