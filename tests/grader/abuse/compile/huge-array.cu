// says: the compiler was stopped|does not compile
char bomb[1ul << 36] = {1};
