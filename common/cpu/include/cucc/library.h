/*
 * Functions that the headers of C++ call as builtins, std::copy and std::equal for example: compilers expand
 * those of a known size after they have put the hooks in. Here the checker judges what they access
 * (runtime/hooks), except in constant expressions.
 */
#ifndef CUCC_LIBRARY_H
#define CUCC_LIBRARY_H

#include <stddef.h>

extern "C" {
void *cucc_memcpy(void *to, const void *from, size_t size) noexcept;
void *cucc_memmove(void *to, const void *from, size_t size) noexcept;
void *cucc_memset(void *to, int value, size_t size) noexcept;
int cucc_memcmp(const void *a, const void *b, size_t size) noexcept;
void *cucc_memchr(const void *from, int byte, size_t size) noexcept;
size_t cucc_strlen(const char *text) noexcept;
int cucc_strcmp(const char *a, const char *b) noexcept;
int cucc_strncmp(const char *a, const char *b, size_t size) noexcept;
char *cucc_strchr(const char *text, int letter) noexcept;
char *cucc_strrchr(const char *text, int letter) noexcept;
char *cucc_strstr(const char *text, const char *part) noexcept;
}

#define CUCC_CALL(name, ...)                                                                                 \
  (__builtin_is_constant_evaluated() ? __builtin_##name(__VA_ARGS__) : ::cucc_##name(__VA_ARGS__))
#define __builtin_memcpy(...)  CUCC_CALL(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) CUCC_CALL(memmove, __VA_ARGS__)
#define __builtin_memset(...)  CUCC_CALL(memset, __VA_ARGS__)
#define __builtin_memcmp(...)  CUCC_CALL(memcmp, __VA_ARGS__)
#define __builtin_memchr(...)  CUCC_CALL(memchr, __VA_ARGS__)
#define __builtin_strlen(...)  CUCC_CALL(strlen, __VA_ARGS__)
#define __builtin_strcmp(...)  CUCC_CALL(strcmp, __VA_ARGS__)
#define __builtin_strncmp(...) CUCC_CALL(strncmp, __VA_ARGS__)
#define __builtin_strchr(...)  CUCC_CALL(strchr, __VA_ARGS__)
#define __builtin_strrchr(...) CUCC_CALL(strrchr, __VA_ARGS__)
#define __builtin_strstr(...)  CUCC_CALL(strstr, __VA_ARGS__)

#endif
