/* nccl_missing.c: the calls of NCCL where it is not installed (training.h): each fails. */
#include "training.h"

#ifdef NCCL_MISSING
const char *ncclGetErrorString(ncclResult_t result) { return result ? "NCCL is not installed" : "no error"; }
ncclResult_t ncclGetUniqueId(ncclUniqueId *id) { return (void)id, ncclSystemError; }
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  return (void)comm, (void)ranks, (void)id, (void)rank, ncclSystemError;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) { return (void)comm, ncclSystemError; }
ncclResult_t ncclGroupStart(void) { return ncclSystemError; }
ncclResult_t ncclGroupEnd(void) { return ncclSystemError; }
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return (void)send, (void)receive, (void)count, (void)type, (void)op, (void)comm, (void)stream,
         ncclSystemError;
}
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return (void)send, (void)receive, (void)count, (void)type, (void)root, (void)comm, (void)stream,
         ncclSystemError;
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return (void)buffer, (void)count, (void)type, (void)root, (void)comm, (void)stream, ncclSystemError;
}
#endif
