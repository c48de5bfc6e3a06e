// expect: leakcheck: -
// says: a communicator was never given back; ncclCommDestroy
// flags: -lnccl
// with: CUCC_DEVICES=1
/* There is nothing to send, so the program ends early, and its communicator stays. */
#include "../ranks.h"

int main() {
  ncclComm_t comm;
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  NCCL(ncclCommInitRank(&comm, 1, id, 0)); // <- at
#ifdef FIXED
  NCCL(ncclCommDestroy(comm));
#endif
}
