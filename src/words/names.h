/*
 * What a C programmer calls a place in memory, while an execution stands at a statement. Two ways:
 *
 *	as the program computed it     from the code of a pointer and the values it has now:
 *	                               list->next->key, t->rows[1].cells[2], *p
 *	by address                     from the object that lies there: buf[3], main.count (of a
 *	                               caller), argv[1][0], a path from a variable to a heap block
 *
 * The first is tried first, since it is what stands in the source. A name is right at the point
 * where it was asked for: pointers in it are compared with what memory holds now. Where nothing is
 * known, the text describes the place: `heap block of 40 bytes from sort.c:17, byte 8`.
 */
#ifndef HENCE_WORDS_NAMES_H
#define HENCE_WORDS_NAMES_H

#include "model/ctype.h"
#include "model/variables.h"
#include "trace/execution.h"
#include "trace/history.h"

struct name {
	struct str text;
	struct ctype_part part; /* its type; `offset` is 0. Type NULL: not known. That of several
	                           elements (p[0..4]) is valid until 64 more are named */
	uint64_t address, size;
	bool known;       /* false: the text only describes the place */
	size_t qualified; /* length of `main.` in front of a variable of another function */
};

void name_deinit(struct name *name);

/* Is it the variable `of`, or a part of it or behind it: of, of.x, of[2], of->x, *of? */
bool name_belongs(const char *text, const char *of);

struct names;

/* The execution must outlive it, but types and variables stay as they are until names_destroy(). Caller
   frees with that. */
struct names *names_create(struct execution *execution);
void names_destroy(struct names *names);

/* Goes on with another execution of the same run, or of the program. */
void names_move(struct names *names, struct execution *execution);

/* Executes statements of a run once more, those at `times` and others, as history_visit() does; *names is there while
   options->statement is called, and `ended` (NULL: nobody) at the end. */
MUST_USE struct hence_error *names_visit(const struct recording *run, const uint64_t *times,
                                         uint32_t count, const struct execution_options *options,
                                         struct names **names,
                                         void (*ended)(void *context, struct execution *e));

struct execution *names_execution(const struct names *names);

/* To be called after each statement: notes where heap blocks come from and where they are freed. */
void names_follow(struct names *names);

/* The statement that is being described: of the function at this depth (0 is on top), whose
   variables need no qualification. Its instructions begin at `first`, and it wrote `size` bytes at
   `written`; what it read is named as before that. */
void names_at(struct names *names, uint32_t depth, uint32_t first, uint64_t written, uint64_t size);

/* How a place is used. */
struct names_use {
	uint64_t size;            /* bytes; 0: whatever lies there */
	bool whole;               /* a struct or array as a whole, not its first scalar */
	LLVMValueRef instruction; /* load or store: tells which bit-field it is; NULL: none */
};

/* Names what `pointer`, an operand in the function `a`, points to. `out` is empty before. Caller
   frees with name_deinit(). */
void names_of_pointer(struct names *names, const struct activation *a, LLVMValueRef pointer,
                      const struct names_use *use, struct name *out);

/* Names what lies at an address. The same for `out`. */
void names_of_address(struct names *names, uint64_t address, const struct names_use *use,
                      struct name *out);

/* The variable at an address, without a search through the heap. False: there is none, and `out`
   is as it was. */
bool names_find_variable(struct names *names, uint64_t address, const struct names_use *use,
                         struct name *out);

/* The value of an operand now; NULL: it has none (a block, a constant that is no number).
   Valid until the next call. */
const struct code_slot *names_slot(struct names *names, const struct activation *a,
                                   LLVMValueRef value);

/* The number of an instruction in its function; UINT32_MAX: it is not one of it. */
uint32_t names_index(struct names *names, const struct code_function *f, LLVMValueRef instruction);

/* The C type of what a pointer points to, as far as its code tells; NULL: not known. */
const struct ctype *names_pointee(struct names *names, const struct activation *a,
                                  LLVMValueRef pointer);

/* Appends a value of this type as ctype_print_part() does, of a pointer to text the text, and of
   other pointers the function or variable that they point to. `object`: that of a pointer; 0: not
   known. */
void names_print(struct names *names, const struct ctype_part *part, const uint8_t *bytes,
                 const uint8_t *undefined, uint64_t size, uint32_t object, size_t limit,
                 struct str *out);

/* From now on a pointer is printed as what it points to, without its address: a text, a function, `&variable`, 'a heap
   block'. For people who do not look into the run. */
void names_say_targets(struct names *names);

/* Appends the text at an address, in quotes. False: there is none. */
bool names_print_text(struct names *names, uint64_t address, size_t limit, struct str *out);

/* Which bits of the bytes that a load or store moves are the bit-field that it is about; false: it
   is about all of them, or it is not clear. */
bool names_bits(LLVMValueRef instruction, uint32_t *offset, uint32_t *size);

/* Does the load only bring bits that the write of a bit-field next to them keeps? */
bool names_is_refill(LLVMValueRef load);

/* Appends what an object is: `a (12 bytes, sort.c:8)`, `a heap block of 40 bytes (allocated at
   sort.c:17)`, and with `end` where it was freed; also of one that is dead. */
void names_print_object(struct names *names, uint32_t object, bool end, struct str *out);

/* Where an object, be it dead, comes from. A place without a file is not known, or there is none. */
struct names_object {
	const char *name; /* of a variable; NULL: it is none. Valid until names_destroy() */
	struct walk_place declared;         /* of a variable */
	struct walk_place allocated, freed; /* of a heap block: the calls */
};

void names_object(struct names *names, uint32_t object, struct names_object *out);

/* The source position of an instruction, by its number among all. */
struct walk_place names_place(struct names *names, uint32_t code);

/* What debug information says about a module. Valid until names_destroy(). */
const struct variables *names_variables(struct names *names, uint32_t module);
struct types *names_types(struct names *names, uint32_t module);

#endif
