#ifndef CUCC_MEMORY_VALUES_H
#define CUCC_MEMORY_VALUES_H

#include "base/base.h"

struct section;

/* Where in the arena the device keeps the value of what the program has at this address; 0: nowhere, as it is
 * no __device__ or __constant__ variable or there is no memory. */
uintptr_t symbol_place(uintptr_t address, int device);
/* Gives a section's variables the values that they begin with. No kernel runs meanwhile. */
void symbol_reset(struct section *s);
/* Around a kernel, by the engine: the device's values come to where the program has its variables, and go. */
void symbols_enter(int device);
void symbols_leave(int device);
/* Keeps the values of all devices, and sets the variables back to them. No kernel runs meanwhile. */
void symbols_keep(void);
void symbols_set_back(void);

#endif
