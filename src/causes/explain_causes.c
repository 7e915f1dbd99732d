/* What methods have found, as steps of an explanation. */
#include "causes/explain.h"

#include <string.h>

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static void add_value(struct explanation_value *out, const struct cause_variable *v)
{
	*out = (struct explanation_value){.name = copy(v->name),
	                                  .failing = copy(v->failing),
	                                  .reference = copy(v->reference),
	                                  .function = copy(v->function)};
}

static void add_aims(const struct proof *proof, struct explanation_proof *out)
{
	for (uint32_t i = 0; i < proof->aims.size; i++) {
		const struct proof_aim *from = &proof->aims.at[i];
		struct explanation_aim *aim = vec_push(&out->aims);

		aim->time = from->time;
		for (uint32_t k = 0; k < from->names.size; k++)
			*vec_push(&aim->names) = copy(from->names.at[k]);
	}
}

static struct explanation_proof convert_proof(const struct cause_point *p,
                                              const struct proof *proof)
{
	struct explanation_proof out = {
		.experiment = proof->experiment,
		.changed = copy(proof->changed),
		.from = copy(proof->from),
		.to = copy(proof->to),
		.in = proof->in_failing ? "failing" : "reference",
		.outcome = verdict_name(proof->outcome),
		.local = proof->local,
		.guarded = proof->guarded,
		.whole = proof->whole,
		.at = explain_place(NULL, p->file, p->line, p->column, p->function),
		.instance = proof->in_failing ? p->instance : p->reference_instance,
		.time = proof->time,
	};

	add_aims(proof, &out);
	return out;
}

static struct explanation_place place_of(const struct cause_point *p,
                                         struct explain_sources *sources)
{
	return explain_place(sources, p->file, p->line, p->column, p->function);
}

/* 'main() starts', 'shell_sort() is called'; NULL: it is some statement. Caller frees. */
static char *moment(const struct cause_point *p)
{
	if (p->begins && p->function)
		return str_format("%s() starts", p->function);
	if (p->callee)
		return str_format("%s() is called", p->callee);
	return NULL;
}

/* As C has it: 'return 1'. NULL: not known. Caller frees. */
static char *statement(const char *text)
{
	static const char result[] = "(return value) = ";

	if (text && !strncmp(text, result, strlen(result)))
		return str_format("return %s", text + strlen(result));
	return copy(text);
}

static void add_step(const struct cause_point *p, const char *method,
                     struct explain_sources *sources, struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);

	step->method = method;
	step->kind = p->branch ? "branch" : "value";
	step->time = p->failing_time;
	step->reference_time = p->reference_time;
	step->at = place_of(p, sources);
	step->instance = p->instance;
	step->reference_instance = p->reference_instance;
	step->when = moment(p);
	step->call = p->callee;
	step->transition = p->direct;
	if (p->direct) {
		step->cause = explain_place(sources, p->cause_file, p->cause_line, p->cause_column,
		                            p->cause_function);
		step->until =
			explain_place(sources, p->until_file, p->until_line, p->until_column, NULL);
	}
	step->statement = statement(p->statement);
	step->until_statement = statement(p->until_statement);
	for (uint32_t i = 0; i < p->variables.size; i++)
		add_value(vec_push(&step->values), &p->variables.at[i]);
	for (uint32_t i = 0; i < p->proofs.size; i++)
		*vec_push(&step->proofs) = convert_proof(p, &p->proofs.at[i]);
	step->proven = p->proven;
	step->apart = p->apart;
}

/* --- all points --- */

/* `before` is the last point with a cause; NULL: none. */
static void add_point(const struct cause_point *p, const struct cause_point *before,
                      struct explain_sources *sources, struct explanation *out)
{
	struct explanation_point *point = vec_push(&out->points);

	point->at = place_of(p, sources);
	point->failing_time = p->failing_time;
	point->reference_time = p->reference_time;
	point->transition = before && p->set && p->set != before->set;
	for (uint32_t i = 0; i < p->variables.size; i++)
		add_value(vec_push(&point->values), &p->variables.at[i]);
}

void explain_add_points(const struct transitions *t, struct explain_sources *sources,
                        struct explanation *out)
{
	const struct cause_point *before = NULL;

	for (uint32_t i = 0; i < t->all.size; i++) {
		add_point(&t->all.at[i], before, sources, out);
		if (t->all.at[i].set)
			before = &t->all.at[i];
	}
}

void explain_add_causes(const struct causes *causes, const char *method,
                        struct explain_sources *sources, struct explanation *out)
{
	for (uint32_t i = 0; i < causes->points.size; i++)
		add_step(&causes->points.at[i], method, sources, out);
	for (uint32_t i = 0; i < causes->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(causes->notes.at[i]);
	out->stats.experiments += causes->experiments;
	out->stats.confounded += causes->confounded;
}
