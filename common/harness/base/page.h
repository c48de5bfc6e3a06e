/*
 * base/page.h: the unit in which memory is mapped and protected.
 *
 * A page has 4 KiB on x86-64. On aarch64 the system's kernel was built for 4, 16 or 64 KiB (clusters of
 * GH200 often use 64), and refuses addresses between pages. What is laid out in pages of 64 KiB suits all.
 */
#ifndef WB_PAGE_H
#define WB_PAGE_H

#include <stddef.h>

#ifdef __aarch64__
#define WB_PAGE ((size_t)65536)
#else
#define WB_PAGE ((size_t)4096)
#endif

#endif
