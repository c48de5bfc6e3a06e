/* NVTX's ranges and marks, for profilers of a GPU: here they do nothing. For C and C++. */
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stdint.h>
#include <string.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3
} nvtxPayloadType_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef union {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define CUCC_NVTX static inline __attribute__((unused))

CUCC_NVTX int nvtxRangePushA(const char *message) { return (void)message, 0; }
CUCC_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) { return (void)attributes, 0; }
CUCC_NVTX int nvtxRangePop(void) { return 0; }
CUCC_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message) { return (void)message, 0; }
CUCC_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  return (void)attributes, 0;
}
CUCC_NVTX void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
CUCC_NVTX void nvtxMarkA(const char *message) { (void)message; }
CUCC_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *attributes) { (void)attributes; }
CUCC_NVTX void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
CUCC_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name) { return (void)name, (nvtxDomainHandle_t)0; }
CUCC_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
CUCC_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  return (void)domain, (void)attributes, 0;
}
CUCC_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return (void)domain, 0; }
CUCC_NVTX void nvtxInitialize(const void *reserved) { (void)reserved; }

#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA

#undef CUCC_NVTX
#endif
