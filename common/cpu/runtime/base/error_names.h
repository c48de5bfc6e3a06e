#ifndef CUCC_BASE_ERROR_NAMES_H
#define CUCC_BASE_ERROR_NAMES_H

#include "base/base.h"

/* For a number that is no error "unrecognized error code". */
const char *error_name(cudaError_t error);
const char *error_text(cudaError_t error);

#endif
