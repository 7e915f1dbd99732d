/* Memory and /proc files of another process that we trace. */
#ifndef HENCE_RUN_PROCESS_MEMORY_H
#define HENCE_RUN_PROCESS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies bytes from or to the process; false: not all of them. */
bool process_memory_read(pid_t pid, uint64_t address, void *out, size_t size);
bool process_memory_write(pid_t pid, uint64_t address, const void *bytes, size_t size);

/* Reads /proc/PID/NAME as a text, cut to `size` - 1 bytes; "" when it cannot be read. Gives the
   number of bytes. */
size_t process_memory_text(pid_t pid, const char *name, char *out, size_t size);

#endif
