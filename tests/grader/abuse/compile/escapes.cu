// clang-format off
// says: does not compile
// hides: \033|\x9b
int [2J]0;owned x;
#error "[31mred 2J"
