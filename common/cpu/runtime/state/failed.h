/*
 * Which call of the host failed, where, and why. An error's number alone says none of that, and a program
 * often asks for it much later.
 */
#ifndef CUCC_STATE_FAILED_H
#define CUCC_STATE_FAILED_H

#include "base/base.h"
#include "base/places.h"

struct launch;
struct op;

/* A call of this thread begins; `call` is a constant. */
void failed_enter(const char *call);
/* It is a launch. */
void failed_launching(const char *kernel, uint3 grid, uint3 block, const char *file, int line);
/* Why the call that runs on this thread is going to fail: a sentence, and what to do about it or NULL. */
void failed_because(const char *sentence, const char *advice);
/* Why the launch that runs may fail, and at which line; the last word counts. */
void failed_in_kernel(const struct launch *launch, const char *sentence, struct place at);
/* The call that runs on this thread fails with this error. */
void failed_note(cudaError_t error);
/* An operation ended with this error, which later calls return. */
void failed_operation(cudaError_t error, const struct op *op);
/* The program has asked for the last error. */
void failed_seen(void);

/* Leaves a call of the API that refuses its arguments before it has entered. */
#define cucc_refuse(error) (failed_enter(__func__), cucc_fail(error))

#endif
