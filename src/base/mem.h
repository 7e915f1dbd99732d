/* Allocation that cannot fail: out of memory ends the tool with a clear line and exit code 4. */
#ifndef HENCE_BASE_MEM_H
#define HENCE_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory. Caller frees with free(). */
void *mem_alloc(size_t size) __attribute__((returns_nonnull, malloc, alloc_size(1)));

/* As realloc(); the new part is not zeroed. */
void *mem_resize(void *memory, size_t size) __attribute__((returns_nonnull, alloc_size(2)));

/* A copy of a string. Caller frees with free(). */
char *mem_strdup(const char *text) __attribute__((returns_nonnull, malloc));

/* The same; of NULL it is NULL. */
char *mem_strdup_or_null(const char *text);

/* A copy of the first `size` bytes, with a 0 behind them. Caller frees with free(). */
char *mem_strndup(const char *text, size_t size) __attribute__((returns_nonnull, malloc));

/* Bytes of memory of the machine that can be had without pushing out programs. */
uint64_t mem_available(void);

#endif
