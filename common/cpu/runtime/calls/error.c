/* cudaGetLastError and the names of errors. */
#include "base/base.h"

#include "base/error_names.h"
#include "state/state.h"
#include "checker/refused.h"

cudaError_t cudaGetLastError(void) {
  check_error_seen();
  return cucc_last_error(true);
}

cudaError_t cudaPeekAtLastError(void) {
  check_error_seen();
  return cucc_last_error(false);
}

const char *cudaGetErrorName(cudaError_t error) { return error_name(error); }

const char *cudaGetErrorString(cudaError_t error) { return error_text(error); }
