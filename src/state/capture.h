/* Inside src/state: how a state is taken. capture.c copies objects, roots.c finds variables. */
#ifndef HENCE_STATE_CAPTURE_H
#define HENCE_STATE_CAPTURE_H

#include "state/graph.h"

MAP_DEFINE_U64(object_index, uint32_t);

struct capture {
	struct state *state;
	struct execution *e;
	struct names *names;
	const struct statements *statements;
	struct birth_types *types;
	struct object_index known;  /* by number of the decoder's objects: 1 + index here */
	struct object_index births; /* by statement: how many blocks */
	uint32_t certain;           /* all objects before it whose types are known are taken */
	uint32_t frame;             /* that is being taken, as in struct state_object */
};

/* Adds an object whose bytes will be copied; `number` is the decoder's, 0: none. */
struct state_object *capture_add(struct capture *c, uint32_t number, uint64_t address,
                                 uint64_t size, uint8_t kind);

/* All variables. */
void capture_roots(struct capture *c);

/* What a word points into: 1 + the index of the object, which becomes part of the state; 0: nothing.
   `made`: the object that the decoder says it was made from, or 0. */
uint32_t capture_target(struct capture *c, uint64_t value, uint32_t made, int64_t *offset);

/* Values of a function under way that are in no variable. */
void waiting_capture(struct capture *c, const struct activation *a, bool top);

#endif
