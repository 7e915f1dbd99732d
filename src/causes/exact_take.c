/* Reads bytes of a run's memory at given times: decodes it once more. See exact_work.h. */
#include "causes/exact_work.h"

struct taking {
	const struct exact *x;
	unsigned side;
	const struct exact_request *requests; /* by statement, those behind it last */
	uint32_t count, left;
	uint8_t *bytes, *unknown;
};

/* Pointers among the bytes, in the space of both runs. */
static void translate(const struct taking *t, struct memory *memory, const struct exact_request *r)
{
	for (uint64_t at = (r->address + 7) & ~7ull; at + 8 <= r->address + r->size; at += 8) {
		struct memory_value word = memory_load(memory, at, 8);
		uint64_t place;

		/* What the program was given has no marks. */
		if (!word.object && !(word.bits >> 32))
			continue;
		place = exact_place(t->x, t->side, r->instance, word.bits);
		memcpy(t->bytes + r->at + (at - r->address), &place, sizeof(place));
	}
}

/* Bytes that nobody knows, such as those of a block that was freed. */
static void note_lost(const struct taking *t, struct memory *memory, const struct exact_request *r)
{
	for (uint64_t done = 0; done < r->size;) {
		uint32_t source;
		uint64_t run =
			memory_source_run(memory, r->address + done, r->size - done, &source);

		if (!source)
			memset(t->unknown + r->at + done, EXACT_LOST, run);
		done += run;
	}
}

static uint32_t first_of(const struct taking *t, uint64_t statement, bool behind)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct exact_request *r = &t->requests[middle];

		if (r->statement < statement || (r->statement == statement && r->behind < behind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void follow(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct taking *t = context;
	struct memory *memory = execution_memory(e);
	bool behind = event == EXECUTION_ENDED || event == EXECUTION_LEFT;

	if (!t->left || (!behind && event != EXECUTION_BEGINS))
		return;
	for (uint32_t i = first_of(t, number, behind);
	     i < t->count && t->requests[i].statement == number && t->requests[i].behind == behind;
	     i++) {
		const struct exact_request *r = &t->requests[i];

		memory_read(memory, r->address, r->size, t->bytes + r->at);
		memory_read_undefined(memory, r->address, r->size, t->unknown + r->at);
		note_lost(t, memory, r);
		translate(t, memory, r);
		t->left--;
	}
	if (!t->left)
		walk_halt(execution_walk(e));
}

static int by_time(const void *a, const void *b)
{
	const struct exact_request *x = a, *y = b;

	if (x->statement != y->statement)
		return x->statement < y->statement ? -1 : 1;
	if (x->behind != y->behind)
		return x->behind ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

uint32_t exact_ask(struct exact_requests *requests, const struct exact_request *request)
{
	struct exact_request *added = vec_push(&requests->at);

	*added = *request;
	added->at = requests->size;
	requests->size += (uint32_t)request->size;
	return added->at;
}

struct hence_error *exact_take(const struct exact *x, unsigned side,
                               struct exact_requests *requests, uint8_t **bytes, uint8_t **unknown)
{
	const struct recording *run = x->sides[side].run;
	uint32_t count = requests->at.size;
	struct taking t = {x, side, requests->at.at, count, count, NULL, NULL};
	struct execution_options options = {.table = run->table,
	                                    .windows = true,
	                                    .begins = true,
	                                    .statement = follow,
	                                    .context = &t};
	struct hence_error *error;
	struct execution *e;
	bool ended = false;

	*bytes = t.bytes = mem_alloc(requests->size + 1);
	*unknown = t.unknown = mem_alloc(requests->size + 1);
	if (!count)
		return NULL;
	qsort(requests->at.at, count, sizeof(*requests->at.at), by_time);
	error = execution_create(run->modules, run->folder, run->tape, &options, &e);
	if (error)
		return error;
	while (!error && !ended && t.left)
		error = execution_advance(e, UINT64_MAX, run->death, &ended);
	execution_destroy(e);
	return error;
}
