#ifndef CUCC_CHECKER_DESCRIBE_H
#define CUCC_CHECKER_DESCRIBE_H

#include "base/base.h"

struct allocation;
struct finding;

/* "thread (1,0,0) of block (2,0,0)" */
void thread_text(char *out, size_t size, const struct finding *f);
void describe_address(struct finding *f, uintptr_t address, size_t size);
const char *access_verb(unsigned access);
const char *plural_s(size_t n);
void describe_allocation(struct finding *f, const struct allocation *a, uintptr_t address, size_t size);
extern const char early_cause[];
bool is_pitched(const struct allocation *a);

#endif
