// clang-format off
// says: does not compile
// hides: \033|\x9b
int [2J]0;owned x2J;
#error [31mred
