/* Potential dependences: see relevant.h. */
#include "slice/relevant.h"

#define WORD  3u  /* bits of an address */
#define PAGE  12u /* the same, for larger variables */
#define SMALL 16u /* bytes that are looked at one by one */
#define LARGE 64u
#define MOST  (1u << 16) /* bytes of one read that are followed */

/* Set in keys of words and pages. */
#define WORDS (1ull << 62)
#define PAGES (1ull << 63)

void relevant_deinit(struct relevant *r)
{
	relevant_map_deinit(&r->open);
}

static void add(struct relevant_open *open, uint32_t since, uint32_t load)
{
	/* What is there and younger than the load ended before it. */
	if (!open->load || open->since >= load || since < open->since)
		*open = (struct relevant_open){since, load};
}

void relevant_add(struct relevant *r, uint64_t at, uint64_t size, uint32_t since, uint32_t load,
                  uint32_t classes)
{
	uint64_t end = at + (size < MOST ? size : MOST);

	for (uint64_t k = at; size <= SMALL && k < end; k++)
		add(relevant_map_put(&r->open, k), since, load);
	for (uint64_t k = at >> WORD; size > SMALL && k << WORD < end; k++)
		add(relevant_map_put(&r->open, WORDS | k), since, load);
	for (uint64_t k = at >> PAGE; k << PAGE < end; k++)
		add(relevant_map_put(&r->open, PAGES | k), since, load);
	for (uint32_t c = 0; c < SIDES_CLASSES; c++)
		if (classes >> c & 1)
			add(&r->classes[c], since, load);
}

static uint32_t find_keys(const struct relevant *r, uint64_t first, uint64_t last, uint32_t branch)
{
	for (uint64_t k = first; k <= last; k++) {
		const struct relevant_open *open = relevant_map_find(&r->open, k);

		if (open && open->since < branch)
			return open->load;
	}
	return 0;
}

static uint32_t find_range(const struct relevant *r, uint64_t from, uint64_t to, uint32_t branch)
{
	uint64_t last = to - 1;
	uint32_t load;

	if (to - from > LARGE)
		return find_keys(r, PAGES | from >> PAGE, PAGES | last >> PAGE, branch);
	load = find_keys(r, from, last, branch);
	return load ? load : find_keys(r, WORDS | from >> WORD, WORDS | last >> WORD, branch);
}

static uint32_t find_globals(const struct relevant *r, const struct sides_table *sides,
                             const roaring_bitmap_t *globals, uint32_t branch)
{
	roaring_uint32_iterator_t i;
	uint32_t load = 0;

	roaring_init_iterator(globals, &i);
	for (; !load && i.has_value; roaring_advance_uint32_iterator(&i)) {
		const struct execution_range *range = &sides->globals.at[i.current_value];

		load = find_range(r, range->from, range->to, branch);
	}
	return load;
}

uint32_t relevant_find(const struct relevant *r, const struct sides_table *sides,
                       const struct sides_set *set, uint64_t frame, uint32_t branch)
{
	uint32_t load = 0;

	for (uint32_t i = 0; !load && i < set->locals.size; i++)
		load = find_range(r, frame + set->locals.at[i].from, frame + set->locals.at[i].to,
		                  branch);
	if (!load)
		load = find_globals(r, sides, set->globals, branch);
	for (uint32_t c = 0; !load && c < SIDES_CLASSES; c++)
		if (set->pointers >> c & 1 && r->classes[c].load && r->classes[c].since < branch)
			load = r->classes[c].load;
	return load;
}

uint32_t relevant_classes(const struct execution *e, uint32_t instance)
{
	const struct code *code = execution_code_table((struct execution *)e);
	uint32_t number = execution_code(e, instance);
	const struct code_function *f = code_of(code, number);
	const struct code_insn *insn = &f->insns[number - f->first];

	if (insn->op != CODE_LOAD && insn->op != CODE_LOAD_WIDE)
		return SIDES_ALL;
	if (!(insn->a & 1) && !(f->makers[insn->a >> 1] & CODE_PARAMETER)) {
		const struct code_insn *maker = &f->insns[f->makers[insn->a >> 1]];

		if (maker->op == CODE_LOCAL && maker->b == UINT32_MAX)
			return 0; /* a local whose address is not taken */
	}
	return sides_class(code->program->modules.at[f->place.module].plan->layout,
	                   LLVMTypeOf(f->instructions[number - f->first]));
}

static uint32_t block_of(const struct code_function *f, uint32_t pc)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The ways of a branch: those of its block, and which it took. */
struct ways {
	uint32_t block, count, taken;
};

/* False: it is no branch. */
static bool find_ways(const struct execution *e, const struct execution_segment *s,
                      const struct code_function *f, uint32_t branch, struct ways *out)
{
	uint32_t pc = s->code - f->first + (branch - s->first);
	uint8_t op = f->insns[pc].op;

	if (op != CODE_BRANCH && op != CODE_SWITCH && op != CODE_JUMP)
		return false;
	out->block = block_of(f, pc);
	out->count = f->plan->blocks.at[out->block].successors;
	out->taken = op == CODE_BRANCH ? !execution_value(e, branch) : UINT32_MAX;
	return true;
}

uint32_t relevant_try(const struct relevant *r, struct sides_table *sides,
                      const struct execution *e, const struct execution_segment *s,
                      const struct code_function *f, uint32_t branch)
{
	uint32_t load = 0, frames;
	struct ways ways;

	if (!find_ways(e, s, f, branch, &ways))
		return 0;
	for (uint32_t side = 0; !load && side < ways.count; side++)
		if (side != ways.taken)
			load = relevant_find(r, sides, sides_of(sides, f, ways.block, side),
			                     execution_frames(e, &frames)[s->frame].address,
			                     branch);
	return load;
}

bool relevant_prints(struct sides_table *sides, const struct execution *e,
                     const struct execution_segment *s, const struct code_function *f,
                     uint32_t branch)
{
	bool prints = false;
	struct ways ways;

	if (!find_ways(e, s, f, branch, &ways))
		return false;
	for (uint32_t side = 0; !prints && side < ways.count; side++)
		prints = side != ways.taken && sides_of(sides, f, ways.block, side)->prints;
	return prints;
}

void relevant_drop(struct relevant *r, uint32_t from)
{
	struct relevant_map old = r->open;

	r->open = (struct relevant_map)MAP_INIT;
	map_each(&old, i) if (old.at[i].value.since < from) *
		relevant_map_put(&r->open, old.at[i].key) = old.at[i].value;
	relevant_map_deinit(&old);
	for (uint32_t c = 0; c < SIDES_CLASSES; c++)
		if (r->classes[c].since >= from)
			r->classes[c] = (struct relevant_open){0};
}
