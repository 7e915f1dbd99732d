/* Inside src/state: the memory graph. */
#ifndef HENCE_STATE_GRAPH_H
#define HENCE_STATE_GRAPH_H

#include "base/arena.h"
#include "base/map.h"
#include "state/state.h"
#include "trace/history.h"

MAP_DEFINE_U64(function_names, const char *);

struct waiting_list;
MAP_DEFINE_U64(waiting_map, struct waiting_list *);

/* A value that waits: computed by a statement, used by a later one, and in no variable in between, as what f()
   returned while g() runs in f() + g(). It is part of the state, but no experiment can change it. */
struct state_waiting {
	uint32_t frame; /* as in struct state_object */
	uint32_t code;  /* instruction of its function */
	uint64_t bits;
	uint32_t target;  /* 1 + the object that it points to; 0: none */
	int64_t offset;   /* in that */
	const char *call; /* that it is the result of: `f()`; NULL: it is something else */
};

/* A module as it was loaded: where its first function or variable lies. */
struct state_module {
	const struct plan *plan;
	uint64_t base;
};

/* What the states of one decoding share: types, variables, names of functions. */
struct state_world {
	uint32_t users;
	struct names *names;              /* only for its types and variables */
	struct function_names functions;  /* by address */
	VEC(struct state_module) modules; /* by number */
	struct waiting_map waiting;       /* by function */
};

/* A word that points into an object: to the byte `offset` of it, which may be its end. */
struct state_edge {
	uint64_t at;
	uint32_t target; /* index of the object */
	bool guessed;    /* the word is no pointer as far as anybody knows, but has this address */
	int64_t offset;
};

/* Bytes from `at` on, up to the next run, were written by this statement. */
struct state_run {
	uint64_t at;
	uint64_t statement; /* 0: before main, or not at all */
	uint8_t bits;       /* what was stored: enum state_stored */
};

enum state_stored {
	STORED_OTHER,
	STORED_INTEGER,
	STORED_REAL,
	STORED_POINTER,
};

struct state_object {
	uint8_t kind; /* enum object_kind */
	bool constant;
	bool dead;     /* freed, or its function has returned: nothing of it is known */
	bool omitted;  /* dead only because there was no room for it */
	bool taken;    /* its bytes are here, or it has none */
	bool elements; /* `type` is that of one element */
	uint64_t address, size;
	uint64_t birth;                  /* statement; 0: none */
	uint32_t ordinal;                /* among those of the same statement */
	uint32_t number;                 /* the decoder's */
	uint32_t module;                 /* of a global */
	uint32_t frame;                  /* 1 + index from the bottom; 0: it is not a local */
	const struct variable *variable; /* NULL: it is none */
	const char *hint;                /* behind its name, when that alone means something else */
	const char *key;          /* objects with the same are the same in two runs; NULL: none */
	const struct ctype *type; /* NULL: not known */
	uint8_t *bytes;
	uint8_t *undefined; /* NULL: nothing is */
	uint32_t first_edge, edge_count;
	uint32_t first_run, run_count;
	uint8_t *beyond; /* bytes behind its end, once they are known */
	uint64_t beyond_size;
};

struct state_frame {
	const char *function;
	uint64_t call;         /* statement; 0: none */
	uint32_t first, count; /* its objects */
};

struct state {
	struct state_world *world;
	struct arena arena;
	uint64_t time;
	VEC(struct state_frame) frames; /* the first is at the bottom */
	VEC(struct state_object) objects;
	VEC(struct state_edge) edges;
	VEC(struct state_run) runs;
	VEC(struct state_waiting) waiting; /* in the order of frames and instructions */
	uint64_t bytes;                    /* that it takes */
	uint64_t most;
	char *partial;
	/* asked for by states_unknown() */
	VEC(struct reading) unknown;
	VEC(uint32_t) unknown_object; /* of each */
};

static inline const struct state_object *state_object(const struct state *s, uint32_t index)
{
	return &s->objects.at[index];
}

/* The edge that begins at just this byte; NULL: none. */
const struct state_edge *state_edge_at(const struct state *s, const struct state_object *o,
                                       uint64_t at);

/* The first of its edges at or behind this byte, as an index in s->edges; its end if none. */
uint32_t state_first_edge(const struct state *s, const struct state_object *o, uint64_t at);

/* Who wrote the byte. NULL: nothing is known. */
const struct state_run *state_run_at(const struct state *s, const struct state_object *o,
                                     uint64_t at);

/* The youngest statement that wrote one of these bytes. */
uint64_t state_written(const struct state *s, const struct state_object *o, uint64_t at,
                       uint64_t size);

/* How long the run that a byte is in is, from its beginning. */
uint64_t state_run_size(const struct state *s, const struct state_object *o,
                        const struct state_run *run);

/* Is a bit of these undefined, or the range not all in the object? */
bool state_is_undefined(const struct state_object *o, uint64_t bit, uint64_t bits);

/* Bytes of an object, also behind its end if they are known there. NULL: they are not. */
const uint8_t *state_bytes(const struct state_object *o, uint64_t at, uint64_t size);

/* The member of a union, at this byte of the object, that was stored last; the first if it does not
   show. NULL: it has none. */
const struct ctype_member *state_union_member(const struct state *s, const struct state_object *o,
                                              const struct ctype *type, uint64_t at);

/* Is its last member an array without length? */
bool state_is_flexible(const struct ctype *type);

/* The text from a byte of an object on: its length without the 0. False: it is none. */
bool state_text(const struct state_object *o, uint64_t at, uint64_t size, uint64_t *length);

#endif
