// says: does not compile|was rejected without being run
#define main wb_main
#define int struct
#define __attribute__(x)
#define if while
int x;
