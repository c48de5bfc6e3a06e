#ifndef CUCC_BASE_CHECK_H
#define CUCC_BASE_CHECK_H

#include "base/base.h"

#if CUCC_CHECKED
#define CHECK(declaration) declaration;
#else
#define CHECK(declaration)                                                                                   \
  static inline declaration {}
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#endif
