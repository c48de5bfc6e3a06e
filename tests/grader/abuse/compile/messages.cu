// says: does not compile|the compiler was stopped
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))
B(#error;
B(int 1;)
