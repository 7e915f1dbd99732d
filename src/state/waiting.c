/*
 * Values that wait: computed by a statement, used by a later one, and in no variable in between, as what
 * f() returned while g() runs in f() + g(). They are part of the state, but no experiment can change
 * them, so who compares states must know when they differ.
 */
#include "state/capture.h"
#include "state/compare.h"

/* A value that is used behind a point that lies behind what made it. */
struct waiting_code {
	uint32_t made, used; /* instructions of the function; the last use */
};

struct waiting_list {
	VEC(struct waiting_code) at;
};

/* --- the code --- */

static uint32_t last_use(struct names *names, const struct code_function *f, LLVMValueRef value)
{
	uint32_t last = 0;

	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		uint32_t index = names_index(names, f, LLVMGetUser(use));

		if (index != UINT32_MAX && index > last)
			last = index;
	}
	return last;
}

/* Addresses of locals are the same all the time, whoever uses them. */
static bool is_value(const struct code_insn *insn)
{
	return insn->words && insn->op != CODE_LOCAL && insn->op != CODE_ALLOCA;
}

static struct waiting_list *list_of(struct state_world *world, const struct code_function *f)
{
	struct waiting_list **known = waiting_map_put(&world->waiting, f->first + 1ull);
	uint32_t *points;

	if (*known)
		return *known;
	*known = mem_alloc(sizeof(**known));
	points = mem_alloc((f->size + 1) * sizeof(*points)); /* that are before each, or at it */
	for (uint32_t i = 0; i < f->size; i++)
		points[i] = (i ? points[i - 1] : 0) + (f->insns[i].flags & CODE_BEGINS ? 1 : 0);
	for (uint32_t i = 0; i < f->size; i++) {
		uint32_t last =
			is_value(&f->insns[i]) ? last_use(world->names, f, f->instructions[i]) : 0;

		if (last > i && points[last] > points[i])
			*vec_push(&(*known)->at) = (struct waiting_code){i, last};
	}
	free(points);
	return *known;
}

void waiting_free(struct waiting_map *map)
{
	map_each(map, i)
	{
		vec_deinit(&map->at[i].value->at);
		free(map->at[i].value);
	}
	waiting_map_deinit(map);
}

/* --- the state --- */

/* The function that a call is of, as one may write it. */
static const char *name_of_call(struct capture *c, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;

	return call->name ? arena_printf(&c->state->arena, "%s()", call->name) : "(*...)()";
}

void waiting_capture(struct capture *c, const struct activation *a, bool top)
{
	const struct code_function *f = a->function;
	const struct waiting_list *list = list_of(c->state->world, f);

	for (uint32_t i = 0; i < list->at.size; i++) {
		const struct waiting_code *code = &list->at.at[i];
		const struct code_slot *slot;
		struct state_waiting *w;

		/* The call of a function under way has no value yet. */
		if (code->made + (top ? 0u : 1u) >= a->pc || code->used < a->pc)
			continue;
		slot = execution_slot(c->e, a, f->insns[code->made].to << 1);
		if (!slot->made || slot->undefined)
			continue;
		w = vec_push(&c->state->waiting);
		w->frame = c->frame;
		w->code = code->made;
		w->bits = slot->bits;
		if (slot->object)
			w->target = capture_target(c, slot->bits, slot->object, &w->offset);
		if (f->insns[code->made].op == CODE_CALL)
			w->call = name_of_call(c, &f->insns[code->made]);
	}
}

/* --- comparing --- */

/* A pointer to a block that may have to be moved is not the same: nobody can make it follow. */
static bool is_same(const struct state_diff *d, const struct state_waiting *x,
                    const struct state_waiting *y)
{
	if (!x->target || !y->target)
		return x->bits == y->bits;
	return d->match_a[x->target - 1] == y->target && x->offset == y->offset &&
	       d->a->objects.at[x->target - 1].size == d->b->objects.at[y->target - 1].size;
}

void waiting_each(struct state_diff *d, bool (*tell)(struct state_diff *d, uint32_t a, uint32_t b))
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < d->a->waiting.size; i++) {
		const struct state_waiting *x = &d->a->waiting.at[i], *y;

		if (x->frame > d->frames)
			return;
		/* Both lists are in the order of frames, and of instructions in them. */
		while (k < d->b->waiting.size && (d->b->waiting.at[k].frame < x->frame ||
		                                  (d->b->waiting.at[k].frame == x->frame &&
		                                   d->b->waiting.at[k].code < x->code)))
			k++;
		y = k < d->b->waiting.size ? &d->b->waiting.at[k] : NULL;
		if (y && y->frame == x->frame && y->code == x->code && !tell(d, i, k))
			return;
	}
}

static bool hide(struct state_diff *d, uint32_t a, uint32_t b)
{
	const struct state_waiting *x = &d->a->waiting.at[a];
	const char *function = d->a->frames.at[x->frame - 1].function;

	if (is_same(d, x, &d->b->waiting.at[b]))
		return true;
	d->hidden =
		x->call ? arena_printf(&d->arena, "what %s returned to %s() is in no variable yet",
	                               x->call, function)
			: arena_printf(&d->arena, "part of an expression in %s() is in no variable",
	                               function);
	return false;
}

const char *state_diff_hidden(struct state_diff *d)
{
	d->hidden = NULL;
	waiting_each(d, hide);
	return d->hidden;
}
