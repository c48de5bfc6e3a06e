/* Part of cuda_runtime_api.h: Streams and events, with the types that only they need. Runtime:
 * runtime/stream.c and event.c. */
#ifndef CUCC_API_STREAM_H
#define CUCC_API_STREAM_H

#define cudaEventRecordExternal 0x01
#define cudaEventWaitExternal   0x01

/* streams */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags CUCC_DEFAULT(0));
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user_data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user_data,
                                  unsigned int flags);

/* Attributes of a stream. What a window asks of the L2 cache has no effect: it is kept, and refused where a
 * device refuses it. As an attribute of a launch it is not in the CPU backend. */
enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes; /* at most accessPolicyMaxWindowSize of the device */
  float hitRatio;   /* the share of accesses that get hitProp, from 0 to 1; the others get missProp */
  enum cudaAccessProperty hitProp, missProp; /* missProp: not persisting */
};
typedef enum cudaStreamAttrID {
  cudaStreamAttributeAccessPolicyWindow = 1,
  cudaStreamAttributePriority = 8
} cudaStreamAttrID;
typedef union cudaStreamAttrValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int priority;
} cudaStreamAttrValue;
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaCtxResetPersistingL2Cache(void);

/* events */
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream CUCC_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream CUCC_DEFAULT(0),
                                     unsigned int flags CUCC_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* Compiled with -default-stream per-thread, the handle 0 means the calling thread's own stream: for the whole
 * program, as soon as one of its files is. */
void cucc_default_stream_per_thread(void);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
__attribute__((constructor)) static void cucc_set_default_stream(void) { cucc_default_stream_per_thread(); }
#endif

#endif
