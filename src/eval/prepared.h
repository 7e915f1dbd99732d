/*
 * A prepared instruction from inside, and what the files here share: each has a function that
 * prepares instructions of one family by setting `run`.
 *
 * An element-wise operation on vectors is prepared as if for one element; eval.c then wraps it
 * (vector.c), unless `whole` says that `run` takes the operands as they are.
 */
#ifndef HENCE_EVAL_PREPARED_H
#define HENCE_EVAL_PREPARED_H

#include "eval/eval.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

#define EVAL_MOST_OPERANDS 3 /* of an element-wise operation */

/* What a scalar, or the elements of a vector, are. A pointer is an integer. */
enum eval_format {
	EVAL_OTHER, /* aggregates, integers of more than 128 bits */
	EVAL_INTEGER,
	EVAL_HALF,
	EVAL_BFLOAT,
	EVAL_FLOAT,
	EVAL_DOUBLE,
	EVAL_FP80,
	EVAL_FP128,
};

struct eval_scalar {
	enum eval_format format;
	uint32_t bits;  /* 0 unless the format is known */
	uint32_t lanes; /* elements of the vector; 0: not a vector */
};

typedef bool eval_function(const struct eval *e, const struct eval_value *operands,
                           struct eval_value *result);

struct eval {
	eval_function *run;
	uint32_t words; /* of the result */
	uint32_t total; /* bits of the result */
	uint32_t bits;  /* of the result, when a scalar, or of one of its elements */
	uint32_t from;  /* the same of the first operand */
	uint8_t format; /* of what has `bits` */
	uint8_t from_format;
	uint8_t code;    /* an opcode, a predicate, or a number of the family's own */
	uint8_t arity;   /* operands of an element-wise operation */
	bool is_signed;  /* compare or convert as signed */
	bool is_lane;    /* of a vector */
	bool whole;      /* not element-wise */
	bool fixed;      /* the second operand is a constant; the family says which matters */
	bool flag;       /* the family's own */
	bool gives_ones; /* all bits 1 for a number that does not fit */
	uint32_t offset; /* in bytes, in an aggregate */
	uint32_t size;   /* in bytes, of what is there; of a constant result: its value */
	/* of a vector */
	uint32_t lanes;
	uint32_t lane_bits[EVAL_MOST_OPERANDS]; /* of each operand */
	const struct eval *lane;
	const int32_t *mask; /* of a shuffle: -1 is undefined */
};

/* What is being prepared. */
struct eval_request {
	LLVMTargetDataRef layout;
	LLVMValueRef value;
	LLVMOpcode opcode;
	struct arena *arena;
	struct eval_scalar to;   /* the result's type */
	struct eval_scalar from; /* the first operand's */
};

/* Each prepares one family. False: not supported. */
typedef bool eval_preparer(const struct eval_request *r, struct eval *e);
eval_preparer eval_prepare_integer;   /* add ... xor */
eval_preparer eval_prepare_compare;   /* icmp */
eval_preparer eval_prepare_float;     /* fadd ... frem, fcmp */
eval_preparer eval_prepare_sign;      /* fneg */
eval_preparer eval_prepare_long;      /* integers of more than 128 bits */
eval_preparer eval_prepare_resize;    /* trunc, zext, sext and the casts of pointers */
eval_preparer eval_prepare_copy;      /* bitcast, freeze */
eval_preparer eval_prepare_select;    /* select */
eval_preparer eval_prepare_to_int;    /* fptosi, fptoui */
eval_preparer eval_prepare_from_int;  /* sitofp, uitofp */
eval_preparer eval_prepare_to_float;  /* fptrunc, fpext */
eval_preparer eval_prepare_aggregate; /* extractvalue, insertvalue */
eval_preparer eval_prepare_element;   /* extractelement, insertelement */
eval_preparer eval_prepare_shuffle;   /* shufflevector */
eval_preparer eval_prepare_intrinsic; /* call */
eval_preparer eval_prepare_overflow;  /* llvm.sadd.with.overflow and the like */
eval_preparer eval_prepare_saturated; /* llvm.sadd.sat and the like */
eval_preparer eval_prepare_bits;      /* llvm.bswap and the like */
eval_preparer eval_prepare_rounding;  /* llvm.floor and the like, llvm.sqrt */
eval_preparer eval_prepare_fmuladd;   /* llvm.fmuladd */

/* What a type is; of a vector, what its elements are. */
struct eval_scalar eval_scalar_of(LLVMTargetDataRef layout, LLVMTypeRef type);

/* Makes `e`, prepared for one element, work on vectors. */
bool eval_wrap_lanes(const struct eval_request *r, struct eval *e);

/* Does the function of the instruction have the target feature ("fma")? */
bool eval_has_feature(LLVMValueRef instruction, const char *feature);

/* Which operation of llvm.NAME: `e->code` of the families below. */
enum eval_intrinsic {
	EVAL_ABS,
	EVAL_BITREVERSE,
	EVAL_BSWAP,
	EVAL_CTLZ,
	EVAL_CTPOP,
	EVAL_CTTZ,
	EVAL_FSHL,
	EVAL_FSHR,
	EVAL_SMAX,
	EVAL_SMIN,
	EVAL_UMAX,
	EVAL_UMIN,
	EVAL_ADD,
	EVAL_SUB,
	EVAL_MUL,
	EVAL_CEIL,
	EVAL_FLOOR,
	EVAL_RINT,
	EVAL_ROUND,
	EVAL_TRUNC,
	EVAL_SQRT,
	EVAL_FMULADD,
	EVAL_FNEG,
	EVAL_FABS,
	EVAL_COPYSIGN,
	EVAL_OTHERS, /* not an operation on bits or numbers */
};

/* --- words --- */

/* The lowest `bits` bits, 1 to 128. */
static inline u128 eval_mask(uint32_t bits)
{
	return ~(u128)0 >> (128 - bits);
}

static inline u128 eval_get(const uint64_t *words, uint32_t bits)
{
	return bits <= 64 ? words[0] : words[0] | (u128)words[1] << 64;
}

/* The value must have no bits behind `bits`. */
static inline void eval_put(uint64_t *words, uint32_t bits, u128 value)
{
	words[0] = (uint64_t)value;
	if (bits > 64)
		words[1] = (uint64_t)(value >> 64);
}

/* `bits` bits from bit `at` on, 1 to 128. */
u128 eval_get_at(const uint64_t *words, uint32_t at, uint32_t bits);
void eval_put_at(uint64_t *words, uint32_t at, uint32_t bits, u128 value);

static inline s128 eval_extend(u128 value, uint32_t bits)
{
	return (s128)(value << (128 - bits)) >> (128 - bits);
}

/* The result, all of it undefined or all defined. */
static inline void eval_put_any(const struct eval *e, struct eval_value *result, u128 value,
                                bool undefined)
{
	eval_put(result->bits, e->bits, value);
	eval_put(result->undef, e->bits, undefined ? eval_mask(e->bits) : 0);
}

static inline bool eval_is_undefined(const struct eval_value *value, uint32_t bits)
{
	return eval_get(value->undef, bits) != 0;
}

#endif
