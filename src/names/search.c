/*
 * A name for a place in a heap block: the shortest way to it from a variable, through pointers with
 * known types. Breadth first, from the variables of the function on top, then globals, then
 * variables of its callers; it gives up after so many pointers that the name would help nobody.
 */
#include <string.h>

#include "names/work.h"

#define DEEPEST  8u
#define POINTERS 4096u
#define ELEMENTS 64u /* of an array that are looked at */

/* Typed memory that the search has reached: a variable, or what a pointer points to. */
struct region {
	uint64_t address;
	uint64_t size;
	const struct ctype *type; /* of the variable, or of one element behind the pointer */
	const struct variable *variable;
	const struct activation *a; /* that it is a variable of; NULL: a global or a pointer's */
	uint32_t depth;             /* pointers from the variable on */
	uint32_t from;              /* region that the pointer lies in */
	uint64_t at;                /* and where in it */
};

MAP_DEFINE_U64(seen_map, bool);

struct search {
	struct names *n;
	uint64_t address;
	uint32_t object;
	VEC(struct region) regions;
	struct seen_map seen; /* objects that were reached */
	uint32_t pointers;
	uint32_t found; /* 1 + region that holds the address */
};

static uint64_t size_of(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);

	return plain ? plain->size : 0;
}

/* --- following pointers --- */

static void reach(struct search *s, uint32_t from, uint64_t at, uint64_t target,
                  const struct ctype *type)
{
	struct objects *objects = execution_objects(s->n->e);
	uint32_t number = target < 4096 ? 0 : objects_find(objects, target);
	const struct object *o = number ? objects_at(objects, number) : NULL;
	struct region region = {.address = target, .type = type, .from = from, .at = at};

	if (!o || o->kind != OBJECT_HEAP || !size_of(type))
		return;
	region.size = o->address + o->size - target;
	region.depth = s->regions.at[from].depth + 1;
	if (number == s->object && s->address >= target) {
		*vec_push(&s->regions) = region;
		s->found = s->regions.size;
		return;
	}
	if (region.depth == DEEPEST || *seen_map_put(&s->seen, number))
		return;
	*seen_map_put(&s->seen, number) = true;
	*vec_push(&s->regions) = region;
}

static void scan(struct search *s, uint32_t from, uint64_t at, const struct ctype *type);

static void scan_array(struct search *s, uint32_t from, uint64_t at, const struct ctype *element,
                       uint64_t count)
{
	uint64_t size = size_of(element);

	for (uint64_t i = 0; size && i < count && i < ELEMENTS && !s->found; i++)
		scan(s, from, at + i * size, element);
}

static void scan_pointer(struct search *s, uint32_t from, uint64_t at, const struct ctype *target)
{
	struct memory_value v;

	if (s->pointers++ >= POINTERS)
		return;
	v = memory_load(execution_memory(s->n->e), s->regions.at[from].address + at, 8);
	if (v.known && !v.undefined)
		reach(s, from, at, v.bits, target);
}

static bool may_point(const struct ctype *type)
{
	type = ctype_strip(type);
	return type && (type->kind == CTYPE_POINTER || type->kind == CTYPE_ARRAY ||
	                type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION);
}

/* The pointers in a part of a region. */
static void scan(struct search *s, uint32_t from, uint64_t at, const struct ctype *type)
{
	type = ctype_strip(type);
	if (!type || s->found || s->pointers >= POINTERS)
		return;
	if (type->kind == CTYPE_POINTER)
		scan_pointer(s, from, at, type->target);
	else if (type->kind == CTYPE_ARRAY && type->count != CTYPE_NO_COUNT &&
	         may_point(type->target))
		scan_array(s, from, at, type->target, type->count);
	else if (type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION)
		for (uint32_t i = 0; i < type->member_count; i++)
			if (!type->members[i].bit_size)
				scan(s, from, at + type->members[i].bit_offset / 8,
				     type->members[i].type);
}

static void scan_region(struct search *s, uint32_t index)
{
	struct region region = s->regions.at[index];
	uint64_t size = size_of(region.type);

	if (region.variable)
		scan(s, index, 0, region.type);
	else if (may_point(region.type))
		scan_array(s, index, 0, region.type, region.size / size);
}

/* --- where it begins --- */

static void add_variable(struct search *s, const struct variable *variable,
                         const struct activation *a, uint64_t address)
{
	if (address && variable && variable->name && !variable->indirect && !variable->also &&
	    may_point(variable->type))
		*vec_push(&s->regions) = (struct region){.address = address,
		                                         .size = size_of(variable->type),
		                                         .type = variable->type,
		                                         .variable = variable,
		                                         .a = a};
}

static void add_locals(struct search *s, const struct activation *a)
{
	const struct plan_function *plan = a->function->plan;

	for (uint32_t i = 0; i < plan->locals.size; i++)
		add_variable(s, names_variable(s->n, a, plan->locals.at[i].alloca_), a,
		             a->address + plan->locals.at[i].offset);
}

static void add_globals(struct search *s)
{
	const struct program *program = walk_program(execution_walk(s->n->e));

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++) {
			LLVMValueRef global = module->plan->globals.at[g];

			if (!LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global))
				add_variable(
					s, variables_of_global(names_variables(s->n, m), global),
					NULL, module->addresses[module->plan->functions.size + g]);
		}
	}
}

/* --- the expression --- */

/* Appends the expression of the `use` at an offset of a region. */
static bool express(const struct search *s, uint32_t index, uint64_t at,
                    const struct names_use *use, struct name *out)
{
	static const struct names_use pointer = {.size = 8};
	const struct region *region = &s->regions.at[index];
	uint64_t size = size_of(region->type);
	char *inner;

	if (region->variable) {
		if (region->a)
			names_qualify(s->n, region->a, out);
		str_add(&out->text, region->variable->name);
		return names_add_part(region->type, at, use, false, &out->text, &out->part);
	}
	if (!express(s, region->from, region->at, &pointer, out))
		return false;
	if (at < size && at + use->size <= size)
		return names_add_part(region->type, at, use, true, &out->text, &out->part);
	inner = str_steal(&out->text);
	str_printf(&out->text, *inner == '*' ? "(%s)[%llu]" : "%s[%llu]", inner,
	           (unsigned long long)(at / size));
	free(inner);
	return names_add_part(region->type, at % size, use, false, &out->text, &out->part);
}

/* Goes on until nothing new is reached. */
static uint32_t advance(struct search *s, uint32_t done)
{
	for (; done < s->regions.size && !s->found && s->pointers < POINTERS; done++)
		scan_region(s, done);
	return done;
}

static void look(struct search *s)
{
	const struct activation *a = names_top(s->n, 0);
	uint32_t done;

	if (a)
		add_locals(s, a);
	done = advance(s, 0);
	if (!s->found)
		add_globals(s);
	done = advance(s, done);
	for (uint32_t depth = 1; !s->found && (a = names_top(s->n, depth)); depth++) {
		add_locals(s, a);
		done = advance(s, done);
	}
}

bool names_search(struct names *n, uint64_t address, uint32_t object, const struct names_use *use,
                  struct name *out)
{
	struct search s = {.n = n, .address = address, .object = object};

	look(&s);
	if (s.found) {
		const struct region *region = &s.regions.at[s.found - 1];

		out->known = express(&s, s.found - 1, address - region->address, use, out);
	}
	if (!out->known) {
		str_deinit(&out->text);
		out->qualified = 0;
	}
	vec_deinit(&s.regions);
	seen_map_deinit(&s.seen);
	return out->known;
}
