/*
 * Edited code: what src/edit makes and the runtime loads into the program (runtime/edits.c).
 *
 * An image is a file with a part for each module that has edits. A part is the machine code of some
 * functions of that module, compiled anew with many edits inside, all switched off, and the data
 * that belongs to it, for one fixed address. When the module is registered, the part is copied
 * there and the old functions are made to begin with a jump to the new ones. A word of the part,
 * the selector, says which edit is in force.
 *
 * SCOUT. With the selector HENCE_EDIT_SCOUT the program does what it always does, but where an edit
 * would compute a value, that value is computed too and compared with the real one. What was seen
 * is written to a struct hence_scout for each edit, at HENCE_SCOUTS of the memory that is shared
 * with hence.
 *
 * Offsets are from the beginning of the file.
 */
#ifndef HENCE_RUNTIME_EDIT_IMAGE_H
#define HENCE_RUNTIME_EDIT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/protocol.h"

#define HENCE_IMAGE_MAGIC "HENCE_ED"
#define HENCE_EDIT_SCOUT  0x7fffffffu
#define HENCE_SCOUTS      HENCE_ORDERS

/* Functions that the code generator calls for instructions of C's operators and builtins; the program has those that its own
   code needs. */
/* clang-format off */
#define HENCE_IMAGE_FUNCTIONS(X)                                                                   \
	X(ceil) X(floor) X(trunc) X(round) X(roundeven) X(rint) X(nearbyint) X(fmin) X(fmax)       \
	X(fmod) X(fma) X(sqrt) X(pow) X(exp) X(exp2) X(exp10) X(log) X(log2) X(log10) X(sin)       \
	X(cos) X(tan) X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(ldexp)            \
	X(frexp) X(modf) X(sincos) X(lrint) X(llrint) X(lround) X(llround) X(ceilf) X(floorf)      \
	X(truncf) X(roundf) X(roundevenf) X(rintf) X(nearbyintf) X(fminf) X(fmaxf) X(fmodf)        \
	X(fmaf) X(sqrtf) X(powf) X(expf) X(exp2f) X(exp10f) X(logf) X(log2f) X(log10f) X(sinf)     \
	X(cosf) X(tanf) X(asinf) X(acosf) X(atanf) X(atan2f) X(sinhf) X(coshf) X(tanhf)            \
	X(ldexpf) X(frexpf) X(modff) X(sincosf) X(lrintf) X(llrintf) X(lroundf) X(llroundf)        \
	X(ceill) X(floorl) X(truncl) X(roundl) X(roundevenl) X(rintl) X(nearbyintl) X(fminl)       \
	X(fmaxl) X(fmodl) X(fmal) X(sqrtl) X(powl) X(expl) X(exp2l) X(exp10l) X(logl) X(log2l)     \
	X(log10l) X(sinl) X(cosl) X(tanl) X(asinl) X(acosl) X(atanl) X(atan2l) X(sinhl)            \
	X(coshl) X(tanhl) X(ldexpl) X(frexpl) X(modfl) X(sincosl) X(lrintl) X(llrintl)             \
	X(lroundl) X(llroundl) X(memcmp) X(bcmp) X(__popcountdi2) X(__multi3) X(__divti3)          \
	X(__udivti3) X(__modti3) X(__umodti3) X(__divmodti4) X(__udivmodti4) X(__floattidf)        \
	X(__floatuntidf) X(__floattisf) X(__floatuntisf) X(__fixdfti) X(__fixunsdfti)              \
	X(__muldc3) X(__divdc3) X(__mulsc3) X(__divsc3) X(__mulxc3) X(__divxc3) X(__powidf2)       \
	X(__powisf2) X(__powixf2)
/* clang-format on */

/* What the code of an image needs of the runtime, of its module, and of libc, by number. */
enum hence_image_symbol {
	HENCE_SYMBOL_head,
	HENCE_SYMBOL_args,
	HENCE_SYMBOL_result,
	HENCE_SYMBOL_full,
	HENCE_SYMBOL_enter,
	HENCE_SYMBOL_leave,
	HENCE_SYMBOL_before,
	HENCE_SYMBOL_before_indirect,
	HENCE_SYMBOL_after,
	HENCE_SYMBOL_again,
	HENCE_SYMBOL_main_count,
	HENCE_SYMBOL_main_words,
	HENCE_SYMBOL_main_environment,
	HENCE_SYMBOL_sigaction,
	HENCE_SYMBOL_signal,
	HENCE_SYMBOL_memcpy,
	HENCE_SYMBOL_memmove,
	HENCE_SYMBOL_memset,
	HENCE_SYMBOL_module,
	HENCE_SYMBOL_imports,
	HENCE_SYMBOL_scouts,
	HENCE_SYMBOL_choose,
	HENCE_SYMBOL_tmpfile,
	HENCE_SYMBOL_safe,
/* clang-format off */
#define X(name) HENCE_SYMBOL_##name,
	HENCE_IMAGE_FUNCTIONS(X)
#undef X
	HENCE_SYMBOLS,
	/* clang-format on */
};

struct hence_image {
	char magic[8];
	uint32_t protocol;
	uint32_t parts; /* struct hence_image_part, behind this */
};

struct hence_image_part {
	uint8_t hash[16]; /* of the module */
	uint64_t base;    /* address that the bytes are for */
	uint64_t size;    /* of the memory there */
	uint64_t bytes;   /* offset of what it begins with; the rest is zero */
	uint64_t byte_size;
	uint64_t selector;               /* address of the word */
	uint64_t fixups, entries, pokes; /* offsets of arrays */
	uint32_t fixup_count, entry_count, poke_count;
	uint32_t first_function; /* a function of the module, and where it must be: */
	uint64_t first_address;
};

/* A word of the part gets the address of a symbol; of a thread-local one, its offset from the
   thread pointer. */
struct hence_image_fixup {
	uint64_t at; /* address of the word */
	int64_t addend;
	uint32_t symbol; /* enum hence_image_symbol */
	uint32_t unused;
};

struct hence_image_entry {
	uint32_t function; /* number in the module */
	uint32_t unused;
	uint64_t address; /* of its new code */
};

/* An edit of data: in force, these bytes are there when the program starts. */
struct hence_image_poke {
	uint32_t edit;
	uint32_t size;
	uint64_t address;
	uint8_t bytes[16];
};

/*
 * Choices: edits that compare or assign variables, of which a place has hundreds. They are no code but a
 * table that the runtime goes through (hence_rt_edit_choose). Their numbers follow each other.
 *
 * LEFT is `a`, or (a operation with). Those of the first four kinds replace an operand of the instruction.
 */
enum hence_choice_kind {
	HENCE_CHOICE_WATCH, /* changes nothing: scouts log the operand and all variables of the place */
	HENCE_CHOICE_VALUE, /* LEFT, or (LEFT second b) */
	HENCE_CHOICE_IS,    /* a condition: LEFT < b */
	HENCE_CHOICE_AND,   /* the original one && LEFT < b */
	HENCE_CHOICE_OR,
	HENCE_CHOICE_IF,   /* 1 if a < b: then control goes elsewhere */
	HENCE_CHOICE_SET,  /* a = b */
	HENCE_CHOICE_ADD,  /* a += b */
	HENCE_CHOICE_FILL, /* a = b if a is 0 */
};

enum hence_choice_predicate {
	HENCE_CHOICE_EQ,
	HENCE_CHOICE_NE,
	HENCE_CHOICE_LT,
	HENCE_CHOICE_LE,
	HENCE_CHOICE_GT,
	HENCE_CHOICE_GE,
};

enum hence_choice_operation {
	HENCE_OPERATION_NONE, /* x */
	HENCE_OPERATION_ADD,
	HENCE_OPERATION_SUB,
	HENCE_OPERATION_FROM, /* y - x */
	HENCE_OPERATION_MUL,
	HENCE_OPERATION_DIV,
	HENCE_OPERATION_MOD,
	HENCE_OPERATION_MIN, /* x < y ? x : y */
	HENCE_OPERATION_MAX,
	HENCE_OPERATIONS,
};

#define HENCE_CHOICE_CONSTANT 255u
#define HENCE_CHOICE_SLOTS    32u

struct hence_choice {
	uint8_t kind;
	uint8_t predicate;       /* of HENCE_CHOICE_VALUE: the second operation */
	uint8_t a, b;            /* variables of the place; b may be HENCE_CHOICE_CONSTANT */
	uint8_t operation, with; /* `with` as b */
	uint16_t unused;
	int64_t constant, with_constant;
};

/* x op y as C computes it, in 4 bytes or in 8. False: it is undefined. */
static inline bool hence_operate(uint8_t operation, int64_t x, int64_t y, bool wide, int64_t *out)
{
	bool over = false;

	switch ((enum hence_choice_operation)operation) {
	case HENCE_OPERATION_ADD: over = __builtin_add_overflow(x, y, out); break;
	case HENCE_OPERATION_SUB: over = __builtin_sub_overflow(x, y, out); break;
	case HENCE_OPERATION_FROM: over = __builtin_sub_overflow(y, x, out); break;
	case HENCE_OPERATION_MUL: over = __builtin_mul_overflow(x, y, out); break;
	case HENCE_OPERATION_DIV:
	case HENCE_OPERATION_MOD:
		if (!y || (y == -1 && x == (wide ? INT64_MIN : INT32_MIN)))
			return false;
		*out = operation == HENCE_OPERATION_DIV ? x / y : x % y;
		break;
	case HENCE_OPERATION_MIN: *out = x < y ? x : y; break;
	case HENCE_OPERATION_MAX: *out = x > y ? x : y; break;
	default: *out = x;
	}
	return !over && (wide || *out == (int32_t)*out);
}

static inline bool hence_compare(uint8_t predicate, int64_t a, int64_t b)
{
	switch ((enum hence_choice_predicate)predicate) {
	case HENCE_CHOICE_EQ: return a == b;
	case HENCE_CHOICE_NE: return a != b;
	case HENCE_CHOICE_LT: return a < b;
	case HENCE_CHOICE_LE: return a <= b;
	case HENCE_CHOICE_GT: return a > b;
	case HENCE_CHOICE_GE: return a >= b;
	}
	return false;
}

struct hence_choice_variable {
	uint8_t size;
	uint8_t is_signed;
};

struct hence_choices {
	uint32_t first; /* number of the first edit */
	uint32_t count;
	uint32_t passed; /* by scouts, who stop at HENCE_CHOICE_PASSES */
	uint16_t variables;
	uint16_t bits; /* of the operand that is replaced */
	struct hence_choice_variable types[HENCE_CHOICE_SLOTS];
	struct hence_choice list[];
};

#define HENCE_CHOICE_PASSES 4096u

/* What HENCE_CHOICE_WATCH logs of the first passes of its place. The log lies where the records of scouts are, from the
   record on that has the number `constant`. */
#define HENCE_WATCH_PASSES 64u

struct hence_watch {
	uint64_t original;
	uint64_t readable; /* a bit for each variable that could be read */
	int64_t variables[];
};

/* Its size, in records. */
static inline uint32_t hence_watch_size(uint32_t variables)
{
	return 1 + (variables + 1) / 2;
}

/* What a scout saw of an edit. */
struct hence_scout {
	uint32_t executed; /* how often its place was passed */
	uint32_t differs;  /* and how often it would have computed something else */
	uint64_t values;   /* a hash of all that it would have computed */
};

#endif
