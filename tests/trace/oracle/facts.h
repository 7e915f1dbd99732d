/*
 * How facts are written, for the oracle and for the dump of hence's execution: the text, not how it
 * is found out. One fact on each line; instances are counted from 0, activations (executed
 * functions) too.
 *
 *	enter ACTIVATION FUNCTION call=INSTANCE
 *	leave ACTIVATION at=INSTANCE
 *	block INSTANCE FUNCTION:BLOCK of=ACTIVATION parent=INSTANCE
 *	load INSTANCE FUNCTION:BLOCK:NUMBER at=PLACE value=VALUE from=SOURCES
 *	store INSTANCE FUNCTION:BLOCK:NUMBER at=PLACE value=VALUE
 *	copy INSTANCE FUNCTION:BLOCK:NUMBER to=PLACE of=PLACE size=SIZE from=SOURCES
 *	fill INSTANCE FUNCTION:BLOCK:NUMBER to=PLACE size=SIZE
 *	heap NUMBER size=SIZE born=INSTANCE died=INSTANCE
 *
 * INSTANCE is `-` for none, and `call` for a parent that is the call of the activation. PLACE is
 * OBJECT+OFFSET, or `-` when no object is there; then its contents are not listed. SOURCES
 * has an instance for each byte, or `?`, and xN behind it for N bytes in a row. VALUE is bytes in
 * the order of memory, &PLACE for a pointer, &? for one to nowhere that we know, or `?` when a byte was
 * never written; values of more than 8 bytes are left out. What realloc() moves or resizes stays the same
 * object; its last size is told.
 */
#ifndef ORACLE_FACTS_H
#define ORACLE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FACTS_NONE    (-1) /* an instance that is not there */
#define FACTS_UNKNOWN (-2)

/* A place in an object; `kind` NULL: none. */
struct facts_place {
	const char *kind; /* global, local, byval, dynamic, heap, function */
	const char *name; /* of a global or function */
	int64_t number;   /* of a local or parameter; of a heap object; instance of a dynamic one */
	int64_t of;       /* activation of a local or parameter */
	uint64_t offset;
};

/* Where an instruction is. */
struct facts_code {
	const char *function;
	uint32_t block, number;
};

void facts_enter(int64_t activation, const char *function, int64_t call);
void facts_leave(int64_t activation, int64_t at);
/* `parent` is FACTS_NONE for the activation's call. */
void facts_block(int64_t instance, const struct facts_code *code, int64_t activation,
                 int64_t parent);

/* `value` is what the bytes point to, or has no kind: then the bytes are written. */
void facts_load(int64_t instance, const struct facts_code *code, const struct facts_place *at,
                const uint8_t *bytes, uint64_t size, const struct facts_place *value,
                bool undefined, const int64_t *sources);
void facts_store(int64_t instance, const struct facts_code *code, const struct facts_place *at,
                 const uint8_t *bytes, uint64_t size, const struct facts_place *value);
void facts_copy(int64_t instance, const struct facts_code *code, const struct facts_place *to,
                const struct facts_place *from, uint64_t size, const int64_t *sources);
void facts_fill(int64_t instance, const struct facts_code *code, const struct facts_place *to,
                uint64_t size);
void facts_heap(int64_t number, uint64_t size, int64_t born, int64_t died);

#endif
