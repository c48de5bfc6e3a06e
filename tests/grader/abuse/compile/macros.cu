// says: the compiler was stopped|signal terminated
#define A(x) x x x x x x x x x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
int bomb[] = {C(C(1, ))};
