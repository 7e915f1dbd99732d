/* What backward and forward slices share: see slice.h. */
#include "slice/slice.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "slice/marks.h"

/* ------ marks ------ */

#define BITS  (1ull << 31) /* instances have 31 bits */
#define BYTES (BITS / 8 + 8)

/* --- bits --- */

/* Pages come when they are touched. */
static uint64_t *map_bits(void)
{
	void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
	               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void unmap_bits(uint64_t *bits)
{
	if (bits)
		munmap(bits, BYTES);
}

struct hence_error *marks_init(struct marks *marks)
{
	*marks = (struct marks){
		.in = map_bits(), .want = map_bits(), .values = map_bits(), .codes = map_bits()};
	if (marks->in && marks->want && marks->values && marks->codes)
		return NULL;
	marks_deinit(marks);
	return error_create(HENCE_ERROR_INPUT, "no memory is left for a slice");
}

void marks_deinit(struct marks *marks)
{
	unmap_bits(marks->in);
	unmap_bits(marks->want);
	unmap_bits(marks->values);
	unmap_bits(marks->codes);
	marks_drop_ranges(marks, 0);
	marks_map_deinit(&marks->ranges);
	*marks = (struct marks){0};
}

uint32_t marks_next(const uint64_t *bits, uint32_t from, uint32_t end)
{
	uint32_t word = from / 64;
	uint64_t rest;

	if (from >= end)
		return end;
	rest = bits[word] & ~0ull << from % 64;
	while (!rest && ++word < (end + 63) / 64)
		rest = bits[word];
	if (!rest)
		return end;
	from = word * 64 + (uint32_t)__builtin_ctzll(rest);
	return from < end ? from : end;
}

/* --- ranges --- */

static int compare(const void *a, const void *b)
{
	const struct execution_range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void sort(struct marks_ranges *r)
{
	uint32_t count = 0;

	if (r->sorted == r->at.size)
		return;
	qsort(r->at.at, r->at.size, sizeof(*r->at.at), compare);
	for (uint32_t i = 0; i < r->at.size; i++) {
		struct execution_range *last = count ? &r->at.at[count - 1] : NULL;

		if (!last || r->at.at[i].from > last->to)
			r->at.at[count++] = r->at.at[i];
		else if (r->at.at[i].to > last->to)
			last->to = r->at.at[i].to;
	}
	r->sorted = r->at.size = count;
}

void marks_add_range(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size)
{
	struct marks_ranges *r = marks_map_put(&marks->ranges, instance);
	struct execution_range *last = r->at.size ? &r->at.at[r->at.size - 1] : NULL;

	if (!size)
		r->whole = true;
	if (r->whole || (last && last->from <= at && at + size <= last->to))
		return;
	/* Loops go through memory: the next piece is often just after or before the last. */
	if (last && r->at.size > r->sorted && last->to == at) {
		last->to += size;
	} else if (last && r->at.size > r->sorted && last->from == at + size) {
		last->from = at;
	} else {
		*vec_push(&r->at) = (struct execution_range){at, at + size};
		/* In order again, each time that there are twice as many. */
		if (r->at.size >= 2 * r->sorted + 16)
			sort(r);
	}
}

const struct marks_ranges *marks_ranges(struct marks *marks, uint32_t instance)
{
	struct marks_ranges *r = marks_map_find(&marks->ranges, instance);

	if (r)
		sort(r);
	return r;
}

bool marks_touch(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size)
{
	const struct marks_ranges *r = marks_ranges(marks, instance);
	uint32_t low = 0, high = r ? r->at.size : 0;

	if (r && r->whole)
		return true;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->at.at[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return r && low < r->at.size && r->at.at[low].from < at + size;
}

void marks_drop_ranges(struct marks *marks, uint32_t from)
{
	struct marks_map old = marks->ranges;

	marks->ranges = (struct marks_map)MAP_INIT;
	map_each(&old, i)
	{
		if (old.at[i].key < from)
			*marks_map_put(&marks->ranges, old.at[i].key) = old.at[i].value;
		else
			vec_deinit(&old.at[i].value.at);
	}
	marks_map_deinit(&old);
}

/* ------ windows, calls and results ------ */

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
