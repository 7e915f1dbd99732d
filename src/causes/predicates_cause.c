/* A critical predicate as a cause: see predicates.h. */
#include "base/mem.h"
#include "causes/predicates.h"

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

void predicate_cause(const struct predicate *p, struct causes *out)
{
	struct cause_point *point = vec_push(&out->points);
	struct cause_variable *variable;
	struct proof *proof;

	*point = (struct cause_point){.failing_time = p->time,
	                              .reference_time = p->time,
	                              .file = copy(p->file),
	                              .function = copy(p->function),
	                              .line = p->line,
	                              .column = p->column,
	                              .instance = p->instance,
	                              .reference_instance = p->instance,
	                              .branch = true,
	                              .direct = true,
	                              .cause_file = copy(p->file),
	                              .cause_function = copy(p->function),
	                              .cause_line = p->line,
	                              .cause_column = p->column,
	                              .proven = true};
	variable = vec_push(&point->variables);
	variable->name = mem_strdup(p->condition ? p->condition : "the branch");
	variable->failing = copy(p->failing);
	variable->reference = copy(p->patched);
	variable->function = copy(p->function);
	proof = cause_add_proof(point, true, VERDICT_PASS);
	proof->experiment = p->experiment;
	proof->time = p->time;
	proof->whole = true;
}
