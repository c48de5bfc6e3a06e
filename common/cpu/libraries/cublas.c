/* cuBLAS: handles, what they carry, status codes, and copies of vectors and matrices. */
#include "blas.h"

#include <stdlib.h>
#include <string.h>

#include "state/counters.h"
#include "state/failed.h"
#include "state/state.h"
#include "engine/copy.h"
#include "engine/entry.h"
#include "engine/stream.h"

#define MAGIC 0xcb1a5u

void openblas_set_num_threads(int threads);

/* ---------------------------------------------------------------------------------------------- handles */

bool blas_handle(cublasHandle_t handle) { return handle && handle->magic == MAGIC; }

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  if (cucc_enter("cublasCreate")) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!(*handle = calloc(1, sizeof **handle))) return CUBLAS_STATUS_ALLOC_FAILED;
  (*handle)->magic = MAGIC;
  count(COUNT_HANDLES);
  openblas_set_num_threads(options()->workers);
  return CUBLAS_STATUS_SUCCESS;
}

/* Waits for the device, as cuBLAS does. */
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  device_wait("wait of cublasDestroy");
  handle->magic = 0;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
  (void)handle; /* may be NULL */
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  static const int values[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (!value || (unsigned)type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = values[type];
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes) {
  (void)workspace, (void)bytes;
  return blas_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* Setting back the default is no call that fails on purpose: it is part of cleaning up, as a free. */
#define CARRIES(NAME, TYPE, FIELD)                                                                           \
  cublasStatus_t cublasSet##NAME(cublasHandle_t handle, TYPE value) {                                        \
    if (!blas_handle(handle) || (value && cucc_enter("cublasSet" #NAME)))                                    \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                                  \
    handle->FIELD = value;                                                                                   \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }                                                                                                          \
  cublasStatus_t cublasGet##NAME(cublasHandle_t handle, TYPE *value) {                                       \
    if (!blas_handle(handle) || cucc_enter("cublasGet" #NAME)) return CUBLAS_STATUS_NOT_INITIALIZED;         \
    if (!value) return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    *value = handle->FIELD;                                                                                  \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }
CARRIES(Stream, cudaStream_t, stream)
CARRIES(PointerMode, cublasPointerMode_t, pointers)
CARRIES(AtomicsMode, cublasAtomicsMode_t, atomics)
CARRIES(MathMode, cublasMath_t, math)

/* ---------------------------------------------------------------------------------------------- status */

static const struct {
  cublasStatus_t status;
  const char *name, *text;
} statuses[] = {
#define STATUS(name, text)                                                                                   \
  { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text }
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires an architectural feature absent from the device"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the requested functionality is not supported"),
    STATUS(LICENSE_ERROR, "the license check failed"),
#undef STATUS
};

const char *cublasGetStatusName(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status) return statuses[i].name;
  return "unrecognized status";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (statuses[i].status == status) return statuses[i].text;
  return "unrecognized status";
}

static cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return CUBLAS_STATUS_SUCCESS;
  case cudaErrorInvalidValue:
    return CUBLAS_STATUS_MAPPING_ERROR;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

/* ---------------------------------------------------------------------------------------------- copies */

/* rows x columns elements of `size` bytes from one place to another, each with its leading dimension. */
struct grid {
  const char *call;
  uintptr_t site;
  int rows, columns, size;
  const void *from;
  int from_ld;
  void *to;
  int to_ld;
  enum cudaMemcpyKind kind;
};

static cublasStatus_t copy_grid(struct grid g, cudaStream_t stream, bool wait) {
  if (g.rows < 0 || g.columns < 0 || g.size <= 0 || g.from_ld <= 0 || g.to_ld <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (g.rows == 0 || g.columns == 0) return CUBLAS_STATUS_SUCCESS;
  /* it is the copy that cannot be: its pitch is too small */
  if (g.from_ld < g.rows || g.to_ld < g.rows) return CUBLAS_STATUS_MAPPING_ERROR;
  if (g.from_ld == g.rows && g.to_ld == g.rows) { /* one piece */
    g.rows *= g.columns;
    g.columns = 1;
  }
  const size_t size = (size_t)g.size;
  const struct transfer_request r = {.call = g.call,
                                     .site = g.site,
                                     .dst = g.to,
                                     .src = g.from,
                                     .bytes = (size_t)g.rows * size,
                                     .rows = {.height = (size_t)g.columns,
                                              .depth = 1,
                                              .dst_pitch = (size_t)g.to_ld * size,
                                              .src_pitch = (size_t)g.from_ld * size},
                                     .kind = g.kind,
                                     .stream = stream,
                                     .wait = wait};
  return status_of(copy_transfer(&r));
}

/* Both ways, of matrices and of vectors, which are matrices of one row; waiting, or in a stream. */
#define COPIES(WAY, KIND)                                                                                    \
  cublasStatus_t cublas##WAY##Matrix(int rows, int columns, int size, const void *from, int from_ld,         \
                                     void *to, int to_ld) {                                                  \
    const struct grid g = {                                                                                  \
        "cublas" #WAY "Matrix", CALLER, rows, columns, size, from, from_ld, to, to_ld, KIND};                \
    return copy_grid(g, 0, true);                                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##WAY##MatrixAsync(int rows, int columns, int size, const void *from, int from_ld,    \
                                          void *to, int to_ld, cudaStream_t stream) {                        \
    const struct grid g = {                                                                                  \
        "cublas" #WAY "MatrixAsync", CALLER, rows, columns, size, from, from_ld, to, to_ld, KIND};           \
    return copy_grid(g, stream, false);                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##WAY##Vector(int n, int size, const void *from, int from_inc, void *to,              \
                                     int to_inc) {                                                           \
    const struct grid g = {"cublas" #WAY "Vector", CALLER, 1, n, size, from, from_inc, to, to_inc, KIND};    \
    return copy_grid(g, 0, true);                                                                            \
  }                                                                                                          \
  cublasStatus_t cublas##WAY##VectorAsync(int n, int size, const void *from, int from_inc, void *to,         \
                                          int to_inc, cudaStream_t stream) {                                 \
    const struct grid g = {                                                                                  \
        "cublas" #WAY "VectorAsync", CALLER, 1, n, size, from, from_inc, to, to_inc, KIND};                  \
    return copy_grid(g, stream, false);                                                                      \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)

/* ------------------------------------------------------------------------------------------- routines */

struct routine blas_routine(cublasHandle_t handle, const struct real *real, const char *call, uintptr_t site,
                            bool (*run)(struct work *)) {
  return (struct routine){.work = {.size = sizeof(struct routine), .call = call, .site = site, .run = run},
                          .real = real,
                          .handle = handle,
                          .batch = 1};
}

/* Kept as a failed call, so that an answer that returns the status by cuda_error can be explained. */
cublasStatus_t blas_refuse(const struct routine *r, const char *why) {
  failed_enter(r->work.call);
  if (why) failed_because(why, NULL);
  failed_note(cudaErrorInvalidValue);
  return CUBLAS_STATUS_INVALID_VALUE;
}

bool blas_factor(const struct routine *r, struct factor *factor, const char *name, const void *pointer) {
  if (!pointer) return false;
  if (r->handle->pointers == CUBLAS_POINTER_MODE_DEVICE) {
    factor->device = pointer;
    return true;
  }
  if (!work_host_value(r->work.call, name, pointer, r->work.site)) return false;
  memcpy(&factor->value, pointer, r->real->size);
  return true;
}

const void *blas_value(struct routine *r, struct factor *factor, const char *name) {
  if (!factor->device) return &factor->value;
  const struct extent e = blas_vector(r, name, factor->device, 1, 1);
  return work_reads(&r->work, &e) ? factor->device : NULL;
}

bool blas_take_factors(struct routine *r, struct blas_factors *f) {
  f->alpha = blas_value(r, &r->alpha, "alpha");
  f->beta = f->alpha ? blas_value(r, &r->beta, "beta") : NULL;
  if (!f->beta) return false;
  f->product = r->real->load(f->alpha) != 0;
  f->keeps = r->real->load(f->beta) != 0;
  return true;
}

cublasStatus_t blas_queue(const struct routine *r, bool wait) {
  return status_of(work_queue(&r->work, r->handle->stream, wait));
}

struct extent blas_matrix(const struct routine *r, const char *name, const void *at, int rows, int columns,
                          int ld) {
  return (struct extent){name, at, r->real->size, rows, columns, ld, PART_ALL};
}

struct extent blas_vector(const struct routine *r, const char *name, const void *at, int n, int inc) {
  return (struct extent){name, at, r->real->size, n > 0, n, inc < 0 ? -inc : inc, PART_ALL};
}

struct extent blas_triangle(const struct routine *r, const char *name, const void *at, int n, int ld) {
  struct extent e = blas_matrix(r, name, at, n, n, ld);
  e.part = r->uplo == 'L' ? PART_LOWER : PART_UPPER;
  return e;
}

void blas_clear(const struct extent *e) {
  for (int64_t j = 0; j < e->columns; j++) {
    const int64_t first = e->part == PART_LOWER ? j : 0, end = e->part == PART_UPPER ? j + 1 : e->rows;
    memset((char *)e->at + (size_t)(j * e->stride + first) * e->element, 0,
           (size_t)(end - first) * e->element);
  }
}

char blas_trans(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T || op == CUBLAS_OP_C ? 'T' : 0;
}
char blas_uplo(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER ? 'L' : fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}
char blas_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : side == CUBLAS_SIDE_RIGHT ? 'R' : 0;
}
char blas_diag(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_NON_UNIT ? 'N' : diag == CUBLAS_DIAG_UNIT ? 'U' : 0;
}
