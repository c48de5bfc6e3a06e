/* A function and a variable, and nothing else: see reference.cu. */
const char *nothing(int i);

static int variable = 1;

const char *nothing(int i) {
  variable += i;
  return variable ? "" : (const char *)&variable;
}
