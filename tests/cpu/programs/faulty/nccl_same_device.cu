// expect: synccheck: -
// says: ranks 0 and 1 of a communicator both take device 0
// flags: -lnccl
// with: CUCC_DEVICES=2
/* Two ranks of one process join with the same device. */
#include "../ranks.h"

int main() {
  ncclUniqueId id;
  ncclComm_t comm[2];
  NCCL(ncclGetUniqueId(&id));
  NCCL(ncclGroupStart());
  for (int i = 0; i < 2; i++) {
#ifdef FIXED
    cudaSetDevice(i);
#else
    cudaSetDevice(0);
#endif
    const ncclResult_t result = ncclCommInitRank(&comm[i], 2, id, i); // <- at
    if (result != ncclSuccess) return 1;
  }
  NCCL(ncclGroupEnd());
  for (int i = 0; i < 2; i++) NCCL(ncclCommDestroy(comm[i]));
}
