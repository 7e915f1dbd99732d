/* Names in a C expression: see violation_check.h. */
#include <string.h>

#include "causes/violation_check.h"
#include "model/di.h"

static struct check_value value_of(struct check_evaluator *e, const struct ctype *type, bool place,
                                   uint64_t bits)
{
	struct check_value v = {.type = type, .place = place};

	if (place) {
		v.address = bits;
		v.at = term_constant(e->terms, 64, bits);
	} else {
		v.value = term_constant(e->terms, (uint32_t)(8 * type->size), bits);
	}
	return v;
}

static struct check_value keep(struct check_evaluator *e, const struct check_node *node,
                               const struct ctype *type, bool place, uint64_t bits)
{
	*vec_push(&e->known) = (struct check_known){node, type, place, bits};
	return value_of(e, type, place, bits);
}

/* --- variables of the module --- */

static bool find_variable(struct check_evaluator *e, const char *name, const struct ctype **type,
                          uint64_t *address)
{
	const struct variables *variables = names_variables(e->names, e->a->function->place.module);
	const struct variable *v = variables_at(variables, e->where, name);
	const struct code_slot *slot = v ? names_slot(e->names, e->a, v->storage) : NULL;
	struct memory *memory = execution_memory(names_execution(e->names));

	if (!slot || !slot->bits || !ctype_strip(v->type))
		return false;
	*type = ctype_strip(v->type);
	*address = v->indirect ? memory_load(memory, slot->bits, 8).bits : slot->bits;
	return true;
}

/* --- enumerators --- */

static const struct ctype_enumerator *find_in(const struct ctype *type, const char *name)
{
	for (uint32_t i = 0; type && type->kind == CTYPE_ENUM && i < type->member_count; i++)
		if (!strcmp(type->enumerators[i].name, name))
			return &type->enumerators[i];
	return NULL;
}

/* Of the types that a list of debug information has. */
static const struct ctype_enumerator *find_in_list(struct types *types, LLVMContextRef context,
                                                   LLVMMetadataRef list, const char *name)
{
	struct di_list all = di_operands(context, list);
	const struct ctype_enumerator *found = NULL;

	for (uint32_t i = 0; i < all.size && !found; i++)
		if (all.at[i] && LLVMGetMetadataKind(all.at[i]) == LLVMDICompositeTypeMetadataKind)
			found = find_in(ctype_strip(types_of(types, all.at[i])), name);
	vec_deinit(&all);
	return found;
}

static const struct ctype_enumerator *find_enumerator(struct check_evaluator *e, const char *name)
{
	struct types *types = names_types(e->names, e->a->function->place.module);
	LLVMModuleRef module = types_module(types);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned count = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
	LLVMValueRef *units = mem_alloc((count + 1) * sizeof(LLVMValueRef));
	const struct ctype_enumerator *found = NULL;

	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
	for (unsigned u = 0; u < count && !found; u++) {
		struct di_list parts = di_operands(context, LLVMValueAsMetadata(units[u]));

		for (uint32_t i = 0; i < parts.size && !found; i++)
			if (parts.at[i] &&
			    LLVMGetMetadataKind(parts.at[i]) == LLVMMDTupleMetadataKind)
				found = find_in_list(types, context, parts.at[i], name);
		vec_deinit(&parts);
	}
	free(units);
	return found;
}

/* --- all --- */

/* Another module's variable, or a function's that is under way: main.x is not an expression, but x may be meant. */
static bool find_elsewhere(struct check_evaluator *e, const struct check_node *node,
                           const struct ctype **type, uint64_t *address)
{
	struct describe_place place;
	char *problem = describe_lookup(e->names, 0, node->name, &place);

	if (problem) {
		check_fail(e, node, true, str_format("%s %s", node->name, problem));
		free(problem);
		return false;
	}
	*type = ctype_strip(place.part.type);
	*address = place.address;
	return true;
}

struct check_value check_find_name(struct check_evaluator *e, const struct check_node *node)
{
	const struct ctype *type = NULL;
	const struct ctype_enumerator *enumerator;
	uint64_t address = 0;

	for (uint32_t i = 0; i < e->known.size; i++)
		if (e->known.at[i].node == node)
			return value_of(e, e->known.at[i].type, e->known.at[i].place,
			                e->known.at[i].bits);
	if (find_variable(e, node->name, &type, &address))
		return value_of(e, type, true, address);
	enumerator = find_enumerator(e, node->name);
	if (enumerator) {
		bool is_int = enumerator->value == (int32_t)enumerator->value;

		return keep(e, node, check_basic(is_int ? BASIC_INT : BASIC_LONG), false,
		            (uint64_t)enumerator->value);
	}
	if (find_elsewhere(e, node, &type, &address))
		return keep(e, node, type, true, address);
	return value_of(e, check_basic(BASIC_INT), false, 0);
}
