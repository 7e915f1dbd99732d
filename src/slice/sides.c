/*
 * What the sides of a branch may write: see sides.h.
 *
 * Functions are looked at once each. What they write with all that they call is a least fixpoint
 * over those that can be reached, so functions that call each other in a circle have all of it;
 * globals are a bitmap, so it takes no more than a bit for each function and global.
 */
#include "slice/sides.h"

#include "model/control.h"
#include "slice/sides_scan.h"

void sides_table_init(struct sides_table *table, const struct program *program)
{
	*table = (struct sides_table){.program = program};
}

static void deinit_set(struct sides_set *set)
{
	vec_deinit(&set->locals);
	if (set->globals)
		roaring_bitmap_free(set->globals);
}

void sides_table_deinit(struct sides_table *table)
{
	map_each(&table->sides, i)
	{
		deinit_set(table->sides.at[i].value);
		free(table->sides.at[i].value);
	}
	for (uint32_t i = 0; i < table->functions.size; i++) {
		deinit_set(&table->functions.at[i].set);
		vec_deinit(&table->functions.at[i].callees.all);
	}
	sides_map_deinit(&table->sides);
	vec_deinit(&table->functions);
	sides_number_map_deinit(&table->function_numbers);
	vec_deinit(&table->globals);
	sides_number_map_deinit(&table->global_numbers);
}

/* Did it grow? */
static bool add_set(struct sides_set *to, const struct sides_set *from)
{
	uint64_t before = roaring_bitmap_get_cardinality(to->globals);
	uint32_t pointers = to->pointers;
	bool prints = to->prints;

	if (to == from)
		return false;
	roaring_bitmap_or_inplace(to->globals, from->globals);
	to->pointers |= from->pointers;
	to->prints |= from->prints;
	return to->prints != prints || to->pointers != pointers ||
	       roaring_bitmap_get_cardinality(to->globals) != before;
}

/* --- functions --- */

static struct sides_scope begin_scan(struct sides_table *table, uint32_t module,
                                     const struct plan_function *function)
{
	return (struct sides_scope){.table = table,
	                            .module = &table->program->modules.at[module],
	                            .function = function,
	                            .set = {.globals = roaring_bitmap_create()}};
}

static void scan(struct sides_table *table, uint32_t number)
{
	struct program_place place = table->functions.at[number].place;
	struct sides_scope s =
		begin_scan(table, place.module, program_function(table->program, place));
	struct sides_function *f;

	for (uint32_t b = 0; b < s.function->blocks.size; b++)
		sides_scan_block(&s, b);
	/* The vector may have moved. */
	f = &table->functions.at[number];
	f->set = s.set;
	f->callees = s.callees;
}

static void list_function(struct sides_table *table, uint32_t number, struct sides_list *list)
{
	struct sides_function *f = &table->functions.at[number];

	if (f->finished || f->listed)
		return;
	f->listed = true;
	*vec_push(&list->all) = number;
}

/* What is reached from these and not finished yet, callers mostly before callees. */
static void list_reached(struct sides_table *table, const struct sides_list *from,
                         struct sides_list *list)
{
	for (uint32_t i = 0; i < from->all.size; i++)
		list_function(table, from->all.at[i], list);
	for (uint32_t i = 0; i < list->all.size; i++) {
		uint32_t number = list->all.at[i];

		scan(table, number);
		for (uint32_t k = 0; k < table->functions.at[number].callees.all.size; k++)
			list_function(table, table->functions.at[number].callees.all.at[k], list);
	}
}

static bool add_callees(struct sides_table *table, struct sides_set *set,
                        const struct sides_list *callees)
{
	bool grown = false;

	for (uint32_t i = 0; i < callees->all.size; i++)
		grown |= add_set(set, &table->functions.at[callees->all.at[i]].set);
	return grown;
}

/* Completes these functions and all that they call. */
static void finish(struct sides_table *table, const struct sides_list *functions)
{
	struct sides_list list = {0};
	bool grown;

	list_reached(table, functions, &list);
	do {
		grown = false;
		for (uint32_t i = list.all.size; i-- > 0;) {
			struct sides_function *f = &table->functions.at[list.all.at[i]];

			grown |= add_callees(table, &f->set, &f->callees);
		}
	} while (grown);
	for (uint32_t i = 0; i < list.all.size; i++)
		table->functions.at[list.all.at[i]].finished = true;
	vec_deinit(&list.all);
}

/* --- sides --- */

/* All blocks from `first` on, up to where the sides meet. */
static void scan_side(struct sides_scope *s, uint32_t first, uint32_t meeting)
{
	const struct plan_function *f = s->function;
	bool *seen = mem_alloc(f->blocks.size);
	VEC(uint32_t) todo = VEC_INIT;

	*vec_push(&todo) = first;
	while (todo.size) {
		uint32_t b = todo.at[--todo.size];

		if (b == meeting || seen[b])
			continue;
		seen[b] = true;
		sides_scan_block(s, b);
		for (uint32_t i = 0; i < f->blocks.at[b].successors; i++)
			*vec_push(&todo) = f->successors.at[f->blocks.at[b].successor + i];
	}
	vec_deinit(&todo);
	free(seen);
}

const struct sides_set *sides_of(struct sides_table *table, const struct code_function *function,
                                 uint32_t block, uint32_t side)
{
	const struct plan_block *b = &function->plan->blocks.at[block];
	uint64_t key = ((uint64_t)function->first + function->blocks[block + 1]) << 24 | side;
	struct sides_set **there = sides_map_find(&table->sides, key), *out;
	struct sides_scope s;

	if (there)
		return *there;
	s = begin_scan(table, function->place.module, function->plan);
	s.locals = true;
	if (side < b->successors)
		scan_side(&s, function->plan->successors.at[b->successor + side],
		          function->postdominators[block]);
	finish(table, &s.callees);
	add_callees(table, &s.set, &s.callees);
	vec_deinit(&s.callees.all);
	out = mem_alloc(sizeof(*out));
	*out = s.set;
	*sides_map_put(&table->sides, key) = out;
	return out;
}
