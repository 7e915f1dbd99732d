/* What backward and forward slices share: see slice.h. */
#include "slice/slice.h"
#include "slice/work.h"

#define USUAL_MEMORY (512ull << 20)
#define EACH         16u /* bytes that an instance takes, about */
#define LEAST        32u
#define MOST         (1u << 30)

uint32_t slice_window(const struct recording *run)
{
	uint64_t memory = run->memory, most;

	if (!memory) {
		most = mem_available() / 4;
		memory = most < USUAL_MEMORY ? most : USUAL_MEMORY;
	}
	memory /= EACH;
	return memory < LEAST ? LEAST : memory > MOST ? MOST : (uint32_t)memory;
}

static int by_return(const void *a, const void *b, void *context)
{
	uint32_t x = execution_call(context, *(const uint32_t *)a)->until;
	uint32_t y = execution_call(context, *(const uint32_t *)b)->until;

	return (x > y) - (x < y);
}

void slice_find_spanning(const struct execution *e, struct slice_calls *out)
{
	uint32_t count = execution_call_count(e);

	for (uint32_t i = 1; i <= count; i++) {
		const struct execution_call *call = execution_call(e, i);

		if (call->returned && call->until > call->instance + 1)
			*vec_push(&out->at) = i;
	}
	if (out->at.size)
		qsort_r(out->at.at, out->at.size, sizeof(*out->at.at), by_return, (void *)e);
}

/* Adds the bits before `end` that are in one of the two. */
static roaring_bitmap_t *collect(const uint64_t *a, const uint64_t *b, uint32_t end)
{
	roaring_bitmap_t *out = roaring_bitmap_create();
	uint32_t numbers[1024], count = 0;

	for (uint32_t word = 0; word <= end / 64; word++) {
		for (uint64_t bits = a[word] | b[word]; bits; bits &= bits - 1)
			numbers[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
		if (count > 1024 - 64 || (count && word == end / 64)) {
			roaring_bitmap_add_many(out, count, numbers);
			count = 0;
		}
	}
	return out;
}

void slice_collect(const struct marks *marks, uint32_t end, uint32_t codes, struct slice *out)
{
	out->instances = collect(marks->in, marks->want, end);
	out->potential = roaring_bitmap_create();
	out->codes = collect(marks->codes, marks->codes, codes);
	roaring_bitmap_run_optimize(out->instances);
}

static bool is_constant(const struct code_insn *insn)
{
	return (insn->op == CODE_STORE || insn->op == CODE_RETURN) && insn->a != CODE_NO_OPERAND &&
	       insn->a & 1;
}

void slice_classify(const struct code *code, const struct marks *marks, roaring_bitmap_t *ends,
                    roaring_bitmap_t *constants)
{
	for (uint32_t i = 0; i < code->functions.size; i++) {
		const struct code_function *f = code->functions.at[i];

		for (uint32_t k = 0; k < f->size; k++) {
			if (!marks_has(marks->codes, f->first + k))
				continue;
			if (f->insns[k].flags & CODE_STATEMENT)
				roaring_bitmap_add(ends, f->first + k);
			if (is_constant(&f->insns[k]))
				roaring_bitmap_add(constants, f->first + k);
		}
	}
}

void slice_deinit(struct slice *slice)
{
	if (slice->instances)
		roaring_bitmap_free(slice->instances);
	if (slice->codes)
		roaring_bitmap_free(slice->codes);
	if (slice->ends)
		roaring_bitmap_free(slice->ends);
	if (slice->constants)
		roaring_bitmap_free(slice->constants);
	if (slice->potential)
		roaring_bitmap_free(slice->potential);
	*slice = (struct slice){0};
}
