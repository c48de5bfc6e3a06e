#ifndef CUCC_ENGINE_STREAM_H
#define CUCC_ENGINE_STREAM_H

#include "base/base.h"
#include "state/op.h"
#include "state/streams.h"

cudaError_t stream_use(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                       uintptr_t site);
/* Both at once, for a call that begins so: takes the lock; on an error it is not held. */
cudaError_t stream_enter(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                         uintptr_t site);
/* The answer of a question whether work is done, with the lock held, which it gives back. */
cudaError_t stream_answer(bool reached);
/* cudaDeviceSynchronize for a call of this name, which may be one of a library. */
cudaError_t device_wait(const char *call);
/* cudaLaunchHostFunc for a call of this name. */
cudaError_t stream_queue_host(const char *call, cudaStream_t stream, cudaHostFn_t function, void *user_data,
                              uintptr_t site);
cudaError_t stream_queue_callback(const char *call, cudaStream_t stream, struct op request, uintptr_t site);

#endif
