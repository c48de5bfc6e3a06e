#ifdef __cplusplus
extern "C" {
#endif
void good(float *x, int n);
void bad(float *x, int n);
#ifdef __cplusplus
}
#endif
