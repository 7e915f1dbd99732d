/* Inside names.h: what names*.c share. */
#ifndef HENCE_NAMES_WORK_H
#define HENCE_NAMES_WORK_H

#include "names/names.h"

MAP_DEFINE_U64(slot_map, uint32_t);
MAP_DEFINE_U64(values_map, struct slot_map *);

#define NAMES_RANGES 64u

/* Where a heap block was born and died: numbers of instructions plus 1; 0: not seen. */
struct names_life {
	uint32_t birth, death;
};

MAP_DEFINE_U64(life_map, struct names_life);

struct names_module {
	struct types *types;
	struct variables *variables;
};

/* A string of argv or environ, by address. */
struct names_given {
	uint64_t address, size;
	uint32_t index;
	bool environment;
};

struct names {
	struct execution *e;
	VEC(struct names_module) modules;
	struct values_map values; /* by function: index of the instruction of a value */
	struct life_map lives;    /* by object */
	uint32_t objects_seen;
	VEC(struct names_given) given;
	bool given_read;
	struct ctype
		ranges[NAMES_RANGES]; /* types of several elements, the next to be used again */
	uint32_t next_range;
	struct code_slot constant; /* what names_slot() gives for one */
	bool targets;              /* names_say_targets() */
	/* the statement that is described */
	uint32_t depth; /* of its function */
	uint32_t first;
	uint64_t written, written_size;
};

/* The function of the statement that is described, 0, and its callers. NULL: no more. */
static inline const struct activation *names_top(const struct names *n, uint32_t depth)
{
	return execution_top(n->e, n->depth + depth);
}

/* Puts `main.` in front of a variable of a caller; `fact@3.` when fact() is under way several
   times: it is the third call from main() on. */
void names_qualify(const struct names *n, const struct activation *a, struct name *out);

/* The part of an object that is used, appended to what C calls the object: `part` counts from the
   place. `arrow`: the text is a pointer to the object. */
bool names_add_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                    bool arrow, struct str *text, struct ctype_part *part);

/* The part itself, and what C writes behind the name of the object (`path` is empty before). */
bool names_find_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                     struct ctype_part *part, struct str *path);

/* The outermost array at an offset that has `size` bytes (0: any number) and elements of
   `element` bytes; NULL: none, and nothing is appended to the path. */
const struct ctype *names_find_array(const struct ctype *type, uint64_t offset, uint64_t size,
                                     uint64_t element, struct str *path);

/* The variable in an alloca or parameter of `a`, or a global of its module; NULL: none. */
const struct variable *names_variable(struct names *n, const struct activation *a,
                                      LLVMValueRef storage);

/* A pointer variable that leads to this object, through pointers; appends the expression of the
   part that is used. False: none. */
bool names_search(struct names *n, uint64_t address, uint32_t object, const struct names_use *use,
                  struct name *out);

#endif
