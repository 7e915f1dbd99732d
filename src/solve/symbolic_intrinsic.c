/* What functions of LLVM compute: see symbolic_work.h. */
#include <string.h>

#include "eval/prepared.h"
#include "solve/symbolic_work.h"

/* What is being made. */
struct making {
	struct terms *terms;
	LLVMValueRef call;
	const term *in;
	uint32_t bits; /* of the first operand */
};

static term make(const struct making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, op >= TERM_EQ && op <= TERM_SLE ? 1 : m->bits, a, b, 0);
}

static term choose(const struct making *m, term condition, term yes, term no)
{
	return term_make(m->terms, TERM_CHOICE, term_at(m->terms, yes)->bits, condition, yes, no);
}

static term number(const struct making *m, uint64_t value)
{
	return term_constant(m->terms, m->bits, value & symbolic_mask(m->bits));
}

/* --- integers --- */

static term absolute(const struct making *m)
{
	return choose(m, make(m, TERM_SLT, m->in[0], number(m, 0)),
	              make(m, TERM_SUB, number(m, 0), m->in[0]), m->in[0]);
}

static term extreme(const struct making *m, enum term_op less, bool larger)
{
	return choose(m, make(m, less, m->in[0], m->in[1]), m->in[larger], m->in[!larger]);
}

static term smax(const struct making *m)
{
	return extreme(m, TERM_SLT, true);
}

static term smin(const struct making *m)
{
	return extreme(m, TERM_SLT, false);
}

static term umax(const struct making *m)
{
	return extreme(m, TERM_ULT, true);
}

static term umin(const struct making *m)
{
	return extreme(m, TERM_ULT, false);
}

/* Parts of `step` bits in the opposite order. */
static term reversed(const struct making *m, uint32_t step)
{
	term out = term_extract(m->terms, m->in[0], 0, step);

	for (uint32_t at = step; at < m->bits; at += step)
		out = term_make(m->terms, TERM_CONCAT, at + step, out,
		                term_extract(m->terms, m->in[0], at, step), 0);
	return out;
}

static term bswap(const struct making *m)
{
	return reversed(m, 8);
}

static term bitreverse(const struct making *m)
{
	return reversed(m, 1);
}

static term bit(const struct making *m, uint32_t at)
{
	return term_extract(m->terms, m->in[0], at, 1);
}

static term ctpop(const struct making *m)
{
	term sum = number(m, 0);

	for (uint32_t i = 0; i < m->bits; i++)
		sum = make(m, TERM_ADD, sum, symbolic_fit(m->terms, bit(m, i), m->bits));
	return sum;
}

/* The number of zeros in front of the first one, from the lowest or the highest bit. Without any it is not
   asked for, or all of them. */
static term zeros(const struct making *m, bool lowest)
{
	term out = number(m, m->bits);

	for (uint32_t i = m->bits; i-- > 0;)
		out = choose(m, bit(m, lowest ? i : m->bits - 1 - i), number(m, i), out);
	return out;
}

static term cttz(const struct making *m)
{
	return zeros(m, true);
}

static term ctlz(const struct making *m)
{
	return zeros(m, false);
}

static term funnel(const struct making *m, bool left)
{
	term count = make(m, TERM_UREM, m->in[2], number(m, m->bits));
	term rest = make(m, TERM_SUB, number(m, m->bits), count);
	term high = make(m, TERM_SHL, m->in[0], left ? count : rest);
	term low = make(m, TERM_LSHR, m->in[1], left ? rest : count);

	return choose(m, term_equals(m->terms, count, 0), m->in[!left],
	              make(m, TERM_OR, high, low));
}

static term fshl(const struct making *m)
{
	return funnel(m, true);
}

static term fshr(const struct making *m)
{
	return funnel(m, false);
}

/* --- floating point --- */

static bool is_real(const struct making *m)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(m->call));

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static term without_sign(const struct making *m)
{
	return make(m, TERM_AND, m->in[0], number(m, ~(1ull << (m->bits - 1))));
}

/* LLVM 19 computes that of half and bfloat in float, where a NaN becomes quiet (eval/rounding.c). */
static term fabs_(const struct making *m)
{
	term plain = without_sign(m);
	bool is_half = LLVMGetTypeKind(LLVMTypeOf(m->call)) == LLVMHalfTypeKind;

	if (HENCE_LLVM >= 22 || m->bits != 16)
		return plain;
	return choose(m, make(m, TERM_ULT, number(m, is_half ? 0x7c00 : 0x7f80), plain),
	              make(m, TERM_OR, plain, number(m, is_half ? 0x200 : 0x40)), plain);
}

static term copysign_(const struct making *m)
{
	return make(m, TERM_OR, without_sign(m),
	            make(m, TERM_AND, m->in[1], number(m, 1ull << (m->bits - 1))));
}

static term sqrt_(const struct making *m)
{
	return is_real(m) ? term_make(m->terms, TERM_FSQRT, m->bits, m->in[0], 0, 0) : 0;
}

/* Two roundings, unless the machine is said to have an instruction for it. */
static term fmuladd(const struct making *m)
{
	if (!is_real(m) || eval_has_feature(m->call, "fma"))
		return 0;
	return make(m, TERM_FADD, make(m, TERM_FMUL, m->in[0], m->in[1]), m->in[2]);
}

static term same(const struct making *m)
{
	return m->in[0];
}

/* --- all --- */

static const struct {
	const char *name; /* up to the types */
	term (*make)(const struct making *m);
} intrinsics[] = {
	{"abs.", absolute}, {"bitreverse.", bitreverse},
	{"bswap.", bswap},  {"copysign.", copysign_},
	{"ctlz.", ctlz},    {"ctpop.", ctpop},
	{"cttz.", cttz},    {"expect.", same},
	{"fabs.", fabs_},   {"fmuladd.", fmuladd},
	{"fshl.", fshl},    {"fshr.", fshr},
	{"smax.", smax},    {"smin.", smin},
	{"sqrt.", sqrt_},   {"umax.", umax},
	{"umin.", umin},
};

static bool is_vector(LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));

	return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind;
}

term symbolic_compute_intrinsic(struct terms *terms, LLVMValueRef call, const term *in)
{
	const char *name = ir_intrinsic(call);

	if (!name || is_vector(call) || !LLVMGetNumArgOperands(call) ||
	    is_vector(LLVMGetOperand(call, 0)))
		return 0;
	if (strstr(name, ".with.overflow."))
		return symbolic_compute_overflow(terms, call, in);
	for (size_t i = 0; i < sizeof(intrinsics) / sizeof(*intrinsics); i++)
		if (!strncmp(name, intrinsics[i].name, strlen(intrinsics[i].name))) {
			struct making m = {terms, call, in, term_at(terms, in[0])->bits};

			return intrinsics[i].make(&m);
		}
	return 0;
}
