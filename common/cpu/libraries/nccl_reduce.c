/* NCCL's types and the arithmetic of its reductions. */
#include "nccl_inner.h"

size_t nccl_size(ncclDataType_t type) {
  static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return (unsigned)type < ncclNumTypes ? sizes[type] : 0;
}

/* Every type that a reduction knows, and its C type. */
#define EACH_TYPE(DO)                                                                                        \
  DO(ncclInt8, int8_t)                                                                                       \
  DO(ncclUint8, uint8_t)                                                                                     \
  DO(ncclInt32, int32_t)                                                                                     \
  DO(ncclUint32, uint32_t)                                                                                   \
  DO(ncclInt64, int64_t)                                                                                     \
  DO(ncclUint64, uint64_t)                                                                                   \
  DO(ncclFloat32, float)                                                                                     \
  DO(ncclFloat64, double)

bool nccl_reducible(ncclDataType_t type) {
  switch (type) {
#define KNOWN(NAME, T) case NAME:
    EACH_TYPE(KNOWN)
    return true;
  default:
    return false;
  }
}

#define COMBINE(NAME, T)                                                                                     \
  case NAME: {                                                                                               \
    T *a = into;                                                                                             \
    const T *b = from;                                                                                       \
    for (size_t i = 0; i < count; i++)                                                                       \
      a[i] = (T)(op == ncclProd  ? a[i] * b[i]                                                               \
                 : op == ncclMax ? (b[i] > a[i] ? b[i] : a[i])                                               \
                 : op == ncclMin ? (b[i] < a[i] ? b[i] : a[i])                                               \
                                 : a[i] + b[i]);                                                             \
    break;                                                                                                   \
  }
void nccl_combine(void *into, const void *from, size_t count, ncclDataType_t type, ncclRedOp_t op) {
  switch (type) {
    EACH_TYPE(COMBINE)
  default:
    break;
  }
}

#define DIVIDE(NAME, T)                                                                                      \
  case NAME:                                                                                                 \
    for (size_t i = 0; i < count; i++) ((T *)numbers)[i] = (T)(((T *)numbers)[i] / (T)by);                   \
    break;
void nccl_divide(void *numbers, size_t count, ncclDataType_t type, int by) {
  switch (type) {
    EACH_TYPE(DIVIDE)
  default:
    break;
  }
}
