/* origin.h: prints where and when a program of this folder measured. $COMMIT names the commit. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <cctype>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include <cuda_runtime.h>

/* The word with a dot in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05 ...". */
static inline std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  for (std::string word; in >> word;)
    if (isdigit(word[0]) && word.find('.') != word.npos) return word;
  return "unknown";
}

static inline std::string origin() {
  cudaDeviceProp device;
  int runtime = 0;
  if (cudaGetDeviceProperties(&device, 0) || cudaRuntimeGetVersion(&runtime)) return "Device: unknown.\n";
  char date[32];
  const time_t now = time(nullptr);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  const char *const commit = getenv("COMMIT");
  return "Device: " + std::string(device.name) + ", driver " + driver_version() + ", CUDA " +
         std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10) + ", " + date +
         ".\nCommit: " + (commit ? commit : "unknown") + ".\n";
}

#endif
