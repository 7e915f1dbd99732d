/*
 * The output of a run, predicted from its tape: for each stream its bytes, and for each piece of them
 * the call that printed it and where in the program it came from. Bytes are taken from memory as it
 * was before the call, or rendered from a format and its arguments; what cannot be predicted is a
 * piece that is not known.
 *
 * Offsets count the bytes that calls print to a stream in the order of the calls. In a file they
 * may lie elsewhere, when the program seeks, or mixes write() with a buffered printf(). Text is
 * rendered as in the locale C; when the program has chosen another, what depends on it is not known.
 *
 * Not included: what is printed by functions that do not return (err(), a failed assert()), by functions
 * without a model, and what goes to memory (sprintf()).
 */
#ifndef HENCE_ACTIONS_OUTPUTS_H
#define HENCE_ACTIONS_OUTPUTS_H

#include "base/vec.h"
#include "actions/actions.h"

struct outputs_piece {
	uint64_t offset, size;    /* in the stream; size 0: not known how many */
	uint64_t address, length; /* memory that it came from: a string, part of the format */
	uint64_t slot;            /* where its argument lies in a va_list; 0: it is in none */
	uint64_t bytes;           /* see outputs_piece_bytes() */
	uint32_t instance;        /* of the call; 0: not known which */
	uint16_t argument;        /* 1 + index of the call's argument that it shows; 0: none */
	uint16_t conversion;      /* that printed it: from 1 on in the format; 0: none */
	bool known;
	bool exact; /* byte i of the piece is byte i of the memory */
};

struct outputs_stream {
	int32_t descriptor; /* the first that it had */
	bool given;         /* it was open when the program began */
	char *name;         /* of the file that the program opened; NULL: none is known */
	VEC(struct outputs_piece) pieces;
	VEC(uint8_t) bytes; /* of the pieces that are known */
	uint64_t size;
	uint64_t unknown; /* pieces */
};

struct outputs;

/* A call that has returned, with its actions, not applied yet. */
struct outputs_call {
	const char *name;
	uint32_t instance;
	const struct actions_call *call;
	const struct action_list *actions;
	/* Memory before the call; gives only bytes that are defined, too. */
	const struct actions_memory *memory;
	/* The first `size` bytes of an argument. False: they are not known or not defined. */
	bool (*argument)(void *context, uint32_t index, uint32_t size, uint8_t *out);
	void *context;
	const char *program; /* its name in messages; NULL: not known */
};

/* Caller frees with outputs_destroy(). */
struct outputs *outputs_create(void);
void outputs_destroy(struct outputs *outputs);

/* Adds what the call printed, opened and closed. */
void outputs_add(struct outputs *outputs, const struct outputs_call *call);

/* The numbers of instances begin anew (executor_forget()): pieces become SOURCE_EARLIER's. */
void outputs_forget(struct outputs *outputs);

/* The stream that a descriptor was when the program began; NULL: nothing was printed to it. Valid
   until outputs_destroy(). */
const struct outputs_stream *outputs_stream(const struct outputs *outputs, int32_t descriptor);

/* All streams, in the order in which they were first used. Valid until the next outputs_add(). */
const struct outputs_stream *const *outputs_streams(const struct outputs *outputs, uint32_t *count);

/* The piece that has the byte at `offset`; NULL: there is none. */
const struct outputs_piece *outputs_at(const struct outputs_stream *stream, uint64_t offset);

/* The `size` bytes of a piece; NULL: they are not known. Valid until the next outputs_add(). */
const uint8_t *outputs_piece_bytes(const struct outputs_stream *stream,
                                   const struct outputs_piece *piece);

/* How many calls printed another number of bytes than was predicted: their pieces are not known. */
uint64_t outputs_mismatches(const struct outputs *outputs);

#endif
