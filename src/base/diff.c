/*
 * Differences by Myers' greedy algorithm: of all ways through the grid of `a` and `b`, those with d
 * steps aside reach furthest on each diagonal k = x - y from those with d - 1. The furthest points of
 * every d are kept, to find the way back.
 */
#include "base/diff.h"

#include <assert.h>
#include <stdbool.h>

/* Steps aside at most. The memory grows with its square: this is 16 MB. */
#define MOST_STEPS 2000

/* --- texts --- */

void diff_add(struct diff_texts *texts, const char *bytes, size_t size)
{
	struct diff_text *text = vec_push(&texts->list);

	text->bytes = bytes;
	text->size = size;
	text->hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++)
		text->hash = (text->hash ^ (uint8_t)bytes[i]) * 0x100000001b3u;
}

void diff_add_lines(struct diff_texts *texts, const char *bytes, size_t size)
{
	size_t from = 0;

	while (from < size) {
		const char *end = memchr(bytes + from, '\n', size - from);
		size_t next = end ? (size_t)(end - bytes) + 1 : size;

		diff_add(texts, bytes + from, next - from);
		from = next;
	}
}

void diff_texts_deinit(struct diff_texts *texts)
{
	vec_deinit(&texts->list);
}

static bool equal(const struct diff_text *a, const struct diff_text *b)
{
	return a->hash == b->hash && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* --- the grid --- */

/* What lies between the common ends of both. */
struct grid {
	const struct diff_text *a, *b;
	uint32_t begin;   /* elements of the common beginning */
	int32_t width;    /* of a */
	int32_t height;   /* of b */
	int32_t *reached; /* x on diagonal k at [k + middle] */
	int32_t middle;
	VEC(int32_t) kept; /* `reached` of diagonals -d .. d for d = 0, 1, ... */
};

/* Goes from x along the diagonal as far as both are equal. */
static int32_t slide(const struct grid *grid, int32_t x, int32_t k)
{
	while (x < grid->width && x - k < grid->height && equal(&grid->a[x], &grid->b[x - k]))
		x++;
	return x;
}

/* Is the best way to diagonal k with d steps a step down (an element of b), not to the right? */
static bool is_down(const int32_t *reached, int32_t k, int32_t d)
{
	return k == -d || (k != d && reached[k - 1] < reached[k + 1]);
}

/* The number of steps aside to the far corner; -1: more than allowed. */
static int32_t count_steps(struct grid *grid, int32_t most)
{
	int32_t *reached = grid->reached + grid->middle;

	for (int32_t d = 0; d <= most; d++) {
		for (int32_t k = -d; k <= d; k += 2) {
			int32_t x = !d                       ? 0
			            : is_down(reached, k, d) ? reached[k + 1]
			                                     : reached[k - 1] + 1;

			reached[k] = slide(grid, x, k);
			if (reached[k] == grid->width && reached[k] - k == grid->height)
				return d;
		}
		for (int32_t k = -d; k <= d; k++)
			*vec_push(&grid->kept) = grid->reached[grid->middle + k];
	}
	return -1;
}

/* --- the way back --- */

static void add_hunk(struct diff *out, uint32_t from_a, uint32_t count_a, uint32_t from_b,
                     uint32_t count_b)
{
	*vec_push(&out->hunks) = (struct diff_hunk){from_a, count_a, from_b, count_b};
}

static void walk_back(const struct grid *grid, int32_t steps, struct diff *out)
{
	int32_t x = grid->width, y = grid->height;

	for (int32_t d = steps; d > 0; d--) {
		/* Before those of d - 1 lie (d - 1)^2 numbers. */
		const int32_t *reached = grid->kept.at + (d - 1) * (d - 1) + (d - 1);
		int32_t k = x - y;
		bool down = is_down(reached, k, d);

		k += down ? 1 : -1;
		x = reached[k];
		y = x - k;

		/* One step aside at (x, y), found from the last to the first: joins the hunk that
		   begins where it ends. */
		struct diff_hunk *last =
			out->hunks.size ? &out->hunks.at[out->hunks.size - 1] : NULL;
		uint32_t a = grid->begin + (uint32_t)x, b = grid->begin + (uint32_t)y;

		if (!last || last->from_a != a + !down || last->from_b != b + down) {
			add_hunk(out, a, !down, b, down);
			continue;
		}
		last->from_a = a;
		last->from_b = b;
		last->count_a += !down;
		last->count_b += down;
	}
}

void diff_compute(const struct diff_texts *a, const struct diff_texts *b, struct diff *out)
{
	uint32_t width = a->list.size, height = b->list.size, begin = 0;
	struct grid grid = {0};

	*out = (struct diff){VEC_INIT};
	while (begin < width && begin < height && equal(&a->list.at[begin], &b->list.at[begin]))
		begin++;
	while (width > begin && height > begin &&
	       equal(&a->list.at[width - 1], &b->list.at[height - 1])) {
		width--;
		height--;
	}
	if (width == begin && height == begin)
		return;
	assert(width < INT32_MAX / 2 && height < INT32_MAX / 2);
	grid.begin = begin;
	grid.width = (int32_t)(width - begin);
	grid.height = (int32_t)(height - begin);
	grid.a = a->list.at + begin;
	grid.b = b->list.at + begin;

	/* The hunks of what lies between the common ends; not empty on both sides. */
	int32_t most = grid.width + grid.height, steps = -1;

	if (most > MOST_STEPS)
		most = MOST_STEPS;
	if (grid.width && grid.height) {
		grid.middle = most + 1;
		grid.reached = mem_alloc((2 * (size_t)most + 3) * sizeof(*grid.reached));
		steps = count_steps(&grid, most);
	}
	if (steps < 0) {
		add_hunk(out, grid.begin, (uint32_t)grid.width, grid.begin, (uint32_t)grid.height);
	} else {
		walk_back(&grid, steps, out);
		for (uint32_t i = 0, j = out->hunks.size; i + 1 < j; i++, j--) {
			struct diff_hunk hunk = out->hunks.at[i];

			out->hunks.at[i] = out->hunks.at[j - 1];
			out->hunks.at[j - 1] = hunk;
		}
	}
	free(grid.reached);
	vec_deinit(&grid.kept);
}

void diff_deinit(struct diff *diff)
{
	vec_deinit(&diff->hunks);
}
