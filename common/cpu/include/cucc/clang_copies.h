/*
 * First of all headers in checked code under clang. clang turns the copy of a structure (float4 = float4)
 * into a call of `memcpy` while it compiles, too late for any macro or declaration; here the assembler sends
 * those calls to the checker.
 */
#ifndef CUCC_CLANG_COPIES_H
#define CUCC_CLANG_COPIES_H

asm(".set memcpy, cucc_memcpy\n.set memmove, cucc_memmove\n.set memset, cucc_memset");

#endif
