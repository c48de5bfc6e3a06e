/* device/open_cuda.c: opens a GPU and describes it, or says why it can't be used; see device/open.h. */
#include "device/host_info.h"
#include "device/open.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFUSE(refusal, why, ...)                                                                            \
  (snprintf((refusal)->reason, sizeof(refusal)->reason, "%s", why),                                          \
   snprintf((refusal)->message, sizeof(refusal)->message, __VA_ARGS__), false)

#ifndef WB_CPU_BACKEND
/* The driver's own version, from "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ...". */
static void driver_version(char *text, size_t size) {
  char line[256] = "";
  FILE *in = fopen("/proc/driver/nvidia/version", "r");
  if (in && !fgets(line, sizeof line, in)) line[0] = '\0';
  if (in) fclose(in);
  for (char *word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n"))
    if (word[0] >= '1' && word[0] <= '9' && strchr(word, '.')) {
      snprintf(text, size, "%s", word);
      return;
    }
  snprintf(text, size, "unknown");
}
#endif

/* 13000 is 13.0. */
static void cuda_version(int version, char *text, size_t size) {
  snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

static bool no_driver(int driver, wb_refusal *refusal) {
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0)
    return REFUSE(refusal, "no_driver",
                  "no NVIDIA driver is installed or loaded here. On a cluster, submit a job: "
                  "sbatch jobs/run.sh; without a GPU, BACKEND=cpu runs the same code");
  char has[16], wants[16];
  cuda_version(driver, has, sizeof has);
  cuda_version(runtime, wants, sizeof wants);
  return REFUSE(
      refusal, "driver_too_old",
      "the driver here supports CUDA %s, the program was built with CUDA %s: build it with an older toolkit "
      "(module load), or ask for a newer driver",
      has, wants);
}

static bool unavailable(wb_refusal *refusal) {
#ifndef WB_CPU_BACKEND
  int mode = cudaComputeModeDefault;
  cudaGetLastError();
  if (cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0) != cudaSuccess) mode = cudaComputeModeDefault;
  if (mode == cudaComputeModeProhibited)
    return REFUSE(refusal, "prohibited",
                  "the GPU's compute mode is Prohibited: its administrator allows no programs");
  if (mode == cudaComputeModeExclusiveProcess)
    return REFUSE(refusal, "exclusive",
                  "the GPU is in Exclusive Process mode and another process has it: wait for "
                  "that one (nvidia-smi shows it), or take another GPU (CUDA_VISIBLE_DEVICES)");
#endif
  return REFUSE(refusal, "busy",
                "the GPU is busy or unavailable: another process may hold it, or its MIG slice isn't "
                "visible to this job; nvidia-smi shows more");
}

/* Maps an error to one of the reasons of --probe. */
static bool refuse(cudaError_t error, wb_refusal *refusal) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  switch (error) {
  case cudaErrorNoDevice:
    return REFUSE(refusal, "no_gpu", "no GPU is visible here%s%s. On a cluster, ask for one (--gres=gpu:1)",
                  visible ? "; CUDA_VISIBLE_DEVICES is " : "", visible ? (*visible ? visible : "empty") : "");
  case cudaErrorInsufficientDriver:
    return no_driver(driver, refusal);
#ifndef WB_CPU_BACKEND
  case cudaErrorStubLibrary:
    return no_driver(0, refusal);
  case cudaErrorSystemDriverMismatch:
  case cudaErrorCompatNotSupportedOnDevice:
    return no_driver(driver ? driver : 1, refusal);
#endif
  case cudaErrorDevicesUnavailable:
    return unavailable(refusal);
  case cudaErrorMemoryAllocation:
    return REFUSE(refusal, "no_memory",
                  "the GPU has no free memory: another process uses it (nvidia-smi shows which)");
  default:
    return REFUSE(refusal, "other", "%d %s: %s", (int)error, cudaGetErrorName(error),
                  cudaGetErrorString(error));
  }
}

static void describe(wb_device_info *info) {
  struct cudaDeviceProp properties;
  size_t free_bytes = 0, total_bytes = 0;
  int version = 0;
  memset(&properties, 0, sizeof properties);
  cudaGetDeviceProperties(&properties, 0);
  cudaMemGetInfo(&free_bytes, &total_bytes);
  snprintf(info->name, sizeof info->name, "%.120s", properties.name);
  snprintf(info->compute_capability, sizeof info->compute_capability, "%d.%d", properties.major,
           properties.minor);
  info->sm_count = properties.multiProcessorCount;
  info->copy_engines = properties.asyncEngineCount;
  info->l2_bytes = (uint64_t)properties.l2CacheSize;
  info->shares_memory = properties.integrated || properties.pageableMemoryAccessUsesHostPageTables;
  info->memory_bytes = total_bytes;
  info->free_bytes = free_bytes;
  cudaRuntimeGetVersion(&version);
  cuda_version(version, info->runtime, sizeof info->runtime);
#ifdef WB_CPU_BACKEND
  snprintf(info->kind, sizeof info->kind, "cpu backend");
#else
  char driver[40], cuda[16];
  cudaDriverGetVersion(&version);
  driver_version(driver, sizeof driver);
  cuda_version(version, cuda, sizeof cuda);
  snprintf(info->driver, sizeof info->driver, "%s|%s", driver, cuda);
  snprintf(info->kind, sizeof info->kind, "gpu");
#endif
}

bool wb_device_open(wb_device_info *info, wb_refusal *refusal) {
  *info = (wb_device_info){0};
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (!error && count == 0) error = cudaErrorNoDevice;
  if (!error) error = cudaSetDevice(0);
  if (!error) error = cudaFree(NULL); /* makes the context */
  if (error) return refuse(error, refusal);
  describe(info);
  info->devices = count;
  wb_host_info(info->cpu_name, sizeof info->cpu_name, &info->cpu_cores);
  return true;
}
