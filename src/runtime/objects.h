/*
 * Live heap objects by address. malloc and free are hot, so insertion and deletion are a few loads
 * and one store; finding the object around a pointer may take longer.
 *
 * One bit for each 16 bytes of address space says where an object begins, and beside it lies its
 * size, in leaves of 1 MiB that are made when first needed. Objects that are not aligned to 16, as
 * no malloc makes them, are not kept.
 */
#ifndef HENCE_RUNTIME_OBJECTS_H
#define HENCE_RUNTIME_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object was born. Sizes above 4 GiB - 1 are kept as that. */
void hence_rt_objects_add(uint64_t address, uint64_t size);

/* The object that begins here died; nothing happens if there is none. */
void hence_rt_objects_remove(uint64_t address);

/* Size of the object that begins here; 0: none. */
uint64_t hence_rt_objects_size(uint64_t address);

/* The object that holds this address. False: none. */
bool hence_rt_objects_find(uint64_t address, uint64_t *start, uint64_t *size);

#endif
