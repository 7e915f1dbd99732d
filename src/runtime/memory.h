/*
 * Inside the runtime: memory from the system. It lies in a part of the address space where neither
 * the program nor the kernel puts anything by itself, so whether and how the program is recorded does
 * not change where its own memory is.
 */
#ifndef HENCE_RUNTIME_MEMORY_H
#define HENCE_RUNTIME_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Maps a file, as mmap() does; NULL: not possible. */
void *hence_rt_map(uint64_t size, int protection, int flags, long fd);

/* Maps private memory at this address or not at all; zero: it is taken. */
void *hence_rt_map_at(uint64_t address, uint64_t size);

/* Memory for good, zeroed, not counted until touched; NULL: there is none. */
void *hence_rt_memory(size_t size);

#endif
