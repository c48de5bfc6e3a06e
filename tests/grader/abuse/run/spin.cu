// says: no answer after|did not end within
static void abuse(void) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
