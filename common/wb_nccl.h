/*
 * wb_nccl.h: NCCL, or, where it is not installed (or with -DNO_NCCL), calls that all fail, so that the other
 * functions of a lesson can be built and measured. Then NCCL_MISSING is defined.
 */
#ifndef WB_NCCL_H
#define WB_NCCL_H

#if __has_include(<nccl.h>) && !defined NO_NCCL
#include <nccl.h>
#else
#define NCCL_MISSING "NCCL is not installed here: install libnccl-dev, or load a module that has it"
#include <cuda_runtime_api.h>
#include <stddef.h>

typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
typedef enum {
  ncclSuccess,
  ncclUnhandledCudaError,
  ncclSystemError,
  ncclInternalError,
  ncclInvalidArgument,
  ncclInvalidUsage
} ncclResult_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg } ncclRedOp_t;
typedef enum {
  ncclInt8,
  ncclChar = 0,
  ncclUint8,
  ncclInt32,
  ncclInt = 2,
  ncclUint32,
  ncclInt64,
  ncclUint64,
  ncclFloat16,
  ncclHalf = 6,
  ncclFloat32,
  ncclFloat = 7,
  ncclFloat64,
  ncclDouble = 8
} ncclDataType_t;

#define WB_NCCL_FAILS(NAME, ...)                                                                             \
  static inline ncclResult_t NAME(__VA_ARGS__) { return ncclSystemError; }
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
WB_NCCL_FAILS(ncclGetUniqueId, ncclUniqueId *id)
WB_NCCL_FAILS(ncclCommInitRank, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
WB_NCCL_FAILS(ncclCommInitAll, ncclComm_t *comms, int devices, const int *list)
WB_NCCL_FAILS(ncclCommFinalize, ncclComm_t comm)
WB_NCCL_FAILS(ncclCommDestroy, ncclComm_t comm)
WB_NCCL_FAILS(ncclCommAbort, ncclComm_t comm)
WB_NCCL_FAILS(ncclCommGetAsyncError, ncclComm_t comm, ncclResult_t *error)
WB_NCCL_FAILS(ncclCommCount, const ncclComm_t comm, int *count)
WB_NCCL_FAILS(ncclCommCuDevice, const ncclComm_t comm, int *device)
WB_NCCL_FAILS(ncclCommUserRank, const ncclComm_t comm, int *rank)
static inline ncclResult_t ncclGroupStart(void) { return ncclSystemError; }
static inline ncclResult_t ncclGroupEnd(void) { return ncclSystemError; }
WB_NCCL_FAILS(ncclSend, const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
              cudaStream_t stream)
WB_NCCL_FAILS(ncclRecv, void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
              cudaStream_t stream)
WB_NCCL_FAILS(ncclAllReduce, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
WB_NCCL_FAILS(ncclReduce, const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
              int root, ncclComm_t comm, cudaStream_t stream)
WB_NCCL_FAILS(ncclBroadcast, const void *send, void *receive, size_t count, ncclDataType_t type, int root,
              ncclComm_t comm, cudaStream_t stream)
WB_NCCL_FAILS(ncclBcast, void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
              cudaStream_t stream)
WB_NCCL_FAILS(ncclAllGather, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclComm_t comm, cudaStream_t stream)
WB_NCCL_FAILS(ncclReduceScatter, const void *send, void *receive, size_t count, ncclDataType_t type,
              ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
static inline const char *ncclGetErrorString(ncclResult_t result) {
  return result ? NCCL_MISSING : "no error";
}
static inline const char *ncclGetLastError(ncclComm_t comm) { return NCCL_MISSING; }
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
#endif
#endif
