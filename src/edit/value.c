/* Edits by value: see value.h. */
#include "edit/value.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#define MOST_PASSING  256u /* passes in passing runs that are looked at, all different */
#define MOST_GROUPS   10u /* of a kind and size: edits that do different things in the failing run */
#define MOST_ALIKE    3u  /* of those that do the same there */
#define MOST_OPERANDS 10u /* variables of expressions with two operators */
#define MOST_OBSERVED 16u /* values of the failing run that a variable is compared with */
/* Different passes in passing runs that there must be, for an expression with one operator and with two. An outcome
   says less than a value. */
#define LEAST_VALUES        2u
#define LEAST_VALUES_LONG   3u
#define LEAST_OUTCOMES      4u
#define LEAST_OUTCOMES_LONG 8u

/* Values at all passes: first those of passing runs, then those of the failing one. */
struct vector {
	int64_t *at;
	bool *defined;
};

struct leaf {
	uint8_t which; /* a variable, or HENCE_CHOICE_CONSTANT */
	int64_t constant;
	bool wide; /* of 8 bytes */
	struct vector values;
};

MAP_DEFINE_U64(group_map, uint32_t);

struct search {
	const struct edit_slots *slots;
	const struct edit_watched *place;
	struct value_rows *out;
	uint32_t passing, passes;
	uint64_t *originals;
	VEC(struct leaf) leaves; /* variables, those of the line first; then constants */
	uint32_t variables;
	struct group_map groups; /* how many have that effect in the failing run */
	uint32_t group_count;    /* new ones of the kind and size that is looked for */
};

/* --- what was logged --- */

static struct vector vector_create(const struct search *s)
{
	return (struct vector){mem_alloc((s->passes + 1) * sizeof(int64_t)),
	                       mem_alloc(s->passes + 1)};
}

static void vector_destroy(struct vector *v)
{
	free(v->at);
	free(v->defined);
}

static uint64_t pass_hash(const struct search *s, const struct hence_watch *pass)
{
	uint64_t hash = map_hash_u64(pass->original ^ map_hash_u64(pass->readable));

	for (uint32_t i = 0; i < s->slots->count; i++)
		hash = map_hash_u64(hash ^ (uint64_t)pass->variables[i]);
	return hash;
}

/* --- expressions --- */

/* Is x op y worth a look: does it do anything, and is it not said in another way, too? */
static bool is_sensible(const struct search *s, const struct leaf *x, uint8_t operation,
                        const struct leaf *y)
{
	bool constant = y->which == HENCE_CHOICE_CONSTANT;
	bool product = operation == HENCE_OPERATION_MUL || operation == HENCE_OPERATION_DIV ||
	               operation == HENCE_OPERATION_MOD;

	if (constant && operation < HENCE_OPERATION_MIN)
		return y->constant > 1 || (y->constant == 1 && !product) ||
		       (!y->constant && operation == HENCE_OPERATION_FROM);
	if (constant)
		return true;
	/* x is NULL where it is an expression by itself. */
	if (operation == HENCE_OPERATION_FROM)
		return !x;
	if (operation == HENCE_OPERATION_ADD || operation == HENCE_OPERATION_MUL)
		return !x || x <= y;
	if (operation >= HENCE_OPERATION_MIN)
		return !x || x < y;
	return x != y;
}

/* The vector of x op y. False: it is undefined in a passing run. */
static bool operate(const struct search *s, uint8_t operation, const struct vector *x,
                    const struct vector *y, bool wide, struct vector *out)
{
	for (uint32_t n = 0; n < s->passes; n++) {
		out->defined[n] = x->defined[n] && y->defined[n] &&
		                  hence_operate(operation, x->at[n], y->at[n], wide, &out->at[n]);
		if (!out->defined[n] && n < s->passing)
			return false;
	}
	return true;
}

static bool is_defined(const struct search *s, const struct leaf *leaf)
{
	return !memchr(leaf->values.defined, false, s->passing);
}

/* Keeps the edit, unless enough others have the same effect in the failing run. */
static void keep(struct search *s, const struct hence_choice *choice, uint64_t effect)
{
	uint32_t *alike = group_map_find(&s->groups, effect);

	if (!alike) {
		if (s->group_count == MOST_GROUPS)
			return;
		s->group_count++;
		alike = group_map_put(&s->groups, effect);
	}
	if (++*alike <= MOST_ALIKE)
		*vec_push(s->out) = *choice;
}

/* --- values --- */

static uint64_t truncated(const struct search *s, int64_t value)
{
	return (uint64_t)value & (s->place->bits < 64 ? (1ull << s->place->bits) - 1 : ~0ull);
}

/* Keeps x op y, if it has the original value in all passing runs, and another one in the failing run. */
static void fit_value(struct search *s, struct hence_choice choice, const struct vector *x,
                      const struct vector *y, bool wide)
{
	uint64_t effect = 1;
	bool differs = false;
	int64_t value;

	if (s->place->variadic && s->place->bits != (wide ? 64 : 32))
		return;
	for (uint32_t n = 0; n < s->passes; n++) {
		bool defined = x->defined[n] && y->defined[n] &&
		               hence_operate(choice.predicate, x->at[n], y->at[n], wide, &value);

		if (n < s->passing ? !defined || truncated(s, value) != s->originals[n]
		                   : !defined && !differs)
			return;
		if (n >= s->passing) {
			differs |= truncated(s, value) != s->originals[n];
			effect = map_hash_u64(effect ^ (defined ? truncated(s, value) : ~effect));
		}
	}
	if (differs)
		keep(s, &choice, effect);
}

static void fit_values(struct search *s)
{
	struct vector left = vector_create(s);
	uint32_t few = s->variables < MOST_OPERANDS ? s->variables : MOST_OPERANDS;
	bool varies = false;

	/* x, x op y */
	for (uint8_t o = 0; o < HENCE_OPERATIONS; o++)
		for (uint32_t a = 0; a < s->variables; a++)
			for (uint32_t b = 0; b < s->leaves.size; b++) {
				const struct leaf *x = &s->leaves.at[a], *y = &s->leaves.at[b];

				if (o ? !is_sensible(s, x, o, y) : b != a)
					continue;
				fit_value(s,
				          (struct hence_choice){.kind = HENCE_CHOICE_VALUE,
				                                .predicate = o,
				                                .a = x->which,
				                                .b = y->which,
				                                .constant = y->constant},
				          &x->values, &y->values, x->wide || y->wide);
			}
	s->group_count = 0;
	for (uint32_t n = 1; n < s->passing; n++)
		varies |= s->originals[n] != s->originals[0];
	/* (x op y) op z */
	for (uint32_t a = 0; a < few && varies && s->passing >= LEAST_VALUES_LONG; a++)
		for (uint8_t o = 1; o < HENCE_OPERATION_MIN; o++)
			for (uint32_t w = 0; w < s->leaves.size; w++) {
				const struct leaf *x = &s->leaves.at[a], *y = &s->leaves.at[w];
				bool wide = x->wide || y->wide;

				if ((w >= few && w < s->variables) || !is_sensible(s, x, o, y) ||
				    !operate(s, o, &x->values, &y->values, wide, &left))
					continue;
				for (uint8_t p = 1; p < HENCE_OPERATIONS; p++)
					for (uint32_t b = 0; b < s->leaves.size; b++) {
						const struct leaf *z = &s->leaves.at[b];

						if ((b >= few && b < s->variables) ||
						    !is_sensible(s, NULL, p, z))
							continue;
						fit_value(s,
						          (struct hence_choice){
								  .kind = HENCE_CHOICE_VALUE,
								  .predicate = p,
								  .a = x->which,
								  .b = z->which,
								  .operation = o,
								  .with = y->which,
								  .constant = z->constant,
								  .with_constant = y->constant},
						          &left, &z->values, wide || z->wide);
					}
			}
	s->group_count = 0;
	vector_destroy(&left);
}

/* --- conditions --- */

enum order { LESS = 1, SAME = 2, MORE = 4 };

/* The orders of l and r for which l < r, and so on, holds. */
static const uint8_t holds[] = {
	[HENCE_CHOICE_EQ] = SAME, [HENCE_CHOICE_NE] = LESS | MORE,
	[HENCE_CHOICE_LT] = LESS, [HENCE_CHOICE_LE] = LESS | SAME,
	[HENCE_CHOICE_GT] = MORE, [HENCE_CHOICE_GE] = MORE | SAME,
};

static uint8_t order_of(int64_t l, int64_t r)
{
	return l < r ? LESS : l > r ? MORE : SAME;
}

/* What the condition becomes. */
static bool outcome(uint8_t kind, bool original, bool compared)
{
	return kind == HENCE_CHOICE_AND  ? original && compared
	       : kind == HENCE_CHOICE_OR ? original || compared
	                                 : compared;
}

/* Keeps the comparisons of l and r that fit. `l` and `r` are defined in all passing runs. */
static void fit_comparison(struct search *s, struct hence_choice choice, const struct vector *l,
                           const struct vector *r)
{
	uint8_t orders[2] = {0, 0}; /* seen in passing runs where the condition is false, true */

	for (uint32_t n = 0; n < s->passing; n++) {
		orders[s->originals[n] != 0] |= order_of(l->at[n], r->at[n]);
		if (orders[0] == 7 && orders[1] == 7)
			return;
	}
	for (choice.predicate = 0; choice.predicate <= HENCE_CHOICE_GE; choice.predicate++) {
		uint8_t set = holds[choice.predicate];
		uint64_t effect = choice.kind;
		bool differs = false, good = true;

		if ((choice.kind != HENCE_CHOICE_OR && (orders[1] & ~set)) ||
		    (choice.kind != HENCE_CHOICE_AND && (orders[0] & set)))
			continue;
		for (uint32_t n = s->passing; n < s->passes && good; n++) {
			bool defined = l->defined[n] && r->defined[n];
			bool was = s->originals[n], is = was;

			if (defined)
				is = outcome(choice.kind, was, set & order_of(l->at[n], r->at[n]));
			differs |= is != was;
			good = defined || differs;
			effect = map_hash_u64(effect * 4 + (defined ? is : 2));
		}
		if (good && differs)
			keep(s, &choice, effect);
	}
}

/* Has an ordinary edit this comparison? */
static bool is_usual(const struct search *s, const struct leaf *l, const struct leaf *r)
{
	bool constant = r->which == HENCE_CHOICE_CONSTANT;
	uint32_t number = (uint32_t)(r - s->leaves.at) - s->variables;

	return (s->place->usual >> l->which & 1) &&
	       (constant ? number < 8 && number != 2 : s->place->usual >> r->which & 1);
}

static void fit_conditions(struct search *s, uint8_t kind, uint32_t different)
{
	uint32_t few = s->variables < MOST_OPERANDS ? s->variables : MOST_OPERANDS;
	struct vector left = vector_create(s), observed = vector_create(s);

	/* x < y */
	for (uint32_t a = 0; a < s->variables; a++) {
		const struct leaf *x = &s->leaves.at[a];
		struct hence_choice choice = {.kind = kind, .a = x->which};
		VEC(int64_t) known = VEC_INIT;

		if (!is_defined(s, x))
			continue;
		for (uint32_t b = 0; b < s->leaves.size; b++) {
			const struct leaf *y = &s->leaves.at[b];

			if (y->which == HENCE_CHOICE_CONSTANT)
				*vec_push(&known) = y->constant;
			if ((b < s->variables && (b <= a || !is_defined(s, y))) ||
			    (kind != HENCE_CHOICE_IS && is_usual(s, x, y)))
				continue;
			choice.b = y->which;
			choice.constant = y->constant;
			fit_comparison(s, choice, &x->values, &y->values);
		}
		choice.b = HENCE_CHOICE_CONSTANT;
		for (uint32_t n = s->passing, count = 0; n < s->passes && count < MOST_OBSERVED;
		     n++) {
			bool old = !x->values.defined[n];

			for (uint32_t i = 0; i < known.size && !old; i++)
				old = known.at[i] == x->values.at[n];
			if (old)
				continue;
			count++;
			*vec_push(&known) = choice.constant = x->values.at[n];
			memset(observed.defined, true, s->passes);
			for (uint32_t i = 0; i < s->passes; i++)
				observed.at[i] = choice.constant;
			fit_comparison(s, choice, &x->values, &observed);
		}
		vec_deinit(&known);
	}
	s->group_count = 0;
	/* (x op y) < z */
	for (uint32_t a = 0; a < few && different >= LEAST_OUTCOMES_LONG; a++)
		for (uint8_t o = HENCE_OPERATION_ADD; o < HENCE_OPERATION_MIN; o++)
			for (uint32_t w = 0; w < s->leaves.size; w++) {
				const struct leaf *x = &s->leaves.at[a], *y = &s->leaves.at[w];

				if ((w >= few && w < s->variables) || o == HENCE_OPERATION_FROM ||
				    !is_sensible(s, x, o, y) ||
				    !operate(s, o, &x->values, &y->values, x->wide || y->wide,
				             &left))
					continue;
				for (uint32_t b = 0; b < s->leaves.size; b++) {
					const struct leaf *z = &s->leaves.at[b];

					if (b < s->variables && (b >= few || !is_defined(s, z)))
						continue;
					fit_comparison(
						s,
						(struct hence_choice){.kind = kind,
					                              .a = x->which,
					                              .b = z->which,
					                              .operation = o,
					                              .with = y->which,
					                              .constant = z->constant,
					                              .with_constant = y->constant},
						&left, &z->values);
				}
			}
	s->group_count = 0;
	vector_destroy(&left);
	vector_destroy(&observed);
}

void value_fit(const struct value_log *log, struct value_rows *out)
{
	struct search s = {.slots = log->slots, .place = log->slots->watched, .out = out};
	VEC(const struct hence_watch *) passes = VEC_INIT;
	struct group_map seen = MAP_INIT;
	uint32_t different[2] = {0, 0}; /* passes in passing runs, by outcome */

	for (uint32_t i = 0; i < log->passing.size && passes.size < MOST_PASSING; i++)
		if (!(*group_map_put(&seen, pass_hash(&s, log->passing.at[i])))++)
			*vec_push(&passes) = log->passing.at[i];
	s.passing = passes.size;
	for (uint32_t i = 0; i < log->failing.size; i++)
		*vec_push(&passes) = log->failing.at[i];
	s.passes = passes.size;
	s.originals = mem_alloc((s.passes + 1) * sizeof(*s.originals));
	for (uint32_t n = 0; n < s.passes; n++) {
		s.originals[n] = passes.at[n]->original;
		different[s.originals[n] != 0] += n < s.passing;
	}
	if (s.passing >= LEAST_VALUES && s.passing < s.passes) {
		for (int near = 1; near >= 0; near--)
			for (uint8_t i = 0; i < s.slots->count; i++) {
				const struct hence_choice_variable *type = &s.slots->types[i];
				struct leaf *leaf;

				/* What C computes with such unsigned numbers would be something else. */
				if (s.slots->pointers[i] || (!type->is_signed && type->size >= 4) ||
				    (s.place->near >> i & 1) != (uint32_t)near)
					continue;
				leaf = vec_push(&s.leaves);
				*leaf = (struct leaf){.which = i,
				                      .wide = type->size == 8,
				                      .values = vector_create(&s)};
				for (uint32_t n = 0; n < s.passes; n++) {
					leaf->values.at[n] = passes.at[n]->variables[i];
					leaf->values.defined[n] = passes.at[n]->readable >> i & 1;
				}
			}
		s.variables = s.leaves.size;
		for (uint32_t c = 0; c < s.place->constant_count; c++) {
			int64_t value = s.place->constants[c];
			struct leaf *leaf = vec_push(&s.leaves);

			*leaf = (struct leaf){.which = HENCE_CHOICE_CONSTANT,
			                      .constant = value,
			                      .wide = value != (int32_t)value,
			                      .values = vector_create(&s)};
			for (uint32_t n = 0; n < s.passes; n++) {
				leaf->values.at[n] = value;
				leaf->values.defined[n] = true;
			}
		}
		if (!s.place->condition && !s.place->effects)
			fit_values(&s);
		if (s.place->condition && different[1] >= LEAST_OUTCOMES)
			fit_conditions(&s, HENCE_CHOICE_AND, different[1]);
		if (s.place->condition && different[0] >= LEAST_OUTCOMES)
			fit_conditions(&s, HENCE_CHOICE_OR, different[0]);
		/* Another condition must have both outcomes. */
		if (s.place->condition && !s.place->effects && different[0] && different[1] &&
		    s.passing > LEAST_OUTCOMES)
			fit_conditions(&s, HENCE_CHOICE_IS, s.passing);
	}
	for (uint32_t i = 0; i < s.leaves.size; i++)
		vector_destroy(&s.leaves.at[i].values);
	vec_deinit(&s.leaves);
	vec_deinit(&passes);
	group_map_deinit(&s.groups);
	group_map_deinit(&seen);
	free(s.originals);
}
