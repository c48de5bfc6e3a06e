// says: does not compile|holds what no answer
#define main wb_main
#define int struct
#define __attribute__(x)
#define if while
int x;
