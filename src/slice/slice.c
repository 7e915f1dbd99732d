/* What backward and forward slices share: see slice.h. */
#include "slice/slice.h"
#include "slice/work.h"

#define USUAL_MEMORY (512ull << 20)
#define EACH         16u /* bytes that an instance takes, about */
#define LEAST        32u
#define MOST         (1u << 30)

uint32_t slice_window(const struct slice_run *run)
{
	uint64_t memory = run->memory, most;

	if (!memory) {
		most = mem_available() / 4;
		memory = most < USUAL_MEMORY ? most : USUAL_MEMORY;
	}
	memory /= EACH;
	return memory < LEAST ? LEAST : memory > MOST ? MOST : (uint32_t)memory;
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

void slice_deinit(struct slice *slice)
{
	if (slice->instances)
		roaring_bitmap_free(slice->instances);
	if (slice->codes)
		roaring_bitmap_free(slice->codes);
	if (slice->potential)
		roaring_bitmap_free(slice->potential);
	*slice = (struct slice){0};
}
