/* One look at a run right behind an instance: see violation_work.h. */
#include "causes/violation_work.h"

#include <stdlib.h>

/* The function under way that executes this instruction. */
static const struct activation *find_activation(const struct execution *e, LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	const struct activation *a = execution_top(e, 0);

	return a && a->function->plan->function == function ? a : NULL;
}

static void reach(struct violation_moment *m)
{
	const struct activation *a;

	violation_set_place(m->work->out, m->watch.names,
	                    execution_code(m->work->kept, m->instance), m->number + m->died);
	a = find_activation(m->watch.e, execution_instruction(m->work->kept, m->instance));
	if (a && a->pc)
		describe_stand_at(m->watch.names, m->watch.e);
	m->take(m, a && a->pc ? a : NULL);
	names_at(m->watch.names, 0, 0, 0, 0);
	m->take = NULL;
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct violation_moment *m = (struct violation_moment *)watch;

	watch_errors_see(&m->errors, watch);
	m->told = describe_instance(watch->e);
	m->number = execution_statements(watch->e);
	if (m->told < m->instance || !m->take)
		return;
	reach(m);
	watch_halt(watch);
}

static struct hence_error *finish(struct watch *watch)
{
	struct violation_moment *m = (struct violation_moment *)watch;

	if (!m->take)
		return NULL;
	watch_errors_see(&m->errors, watch);
	m->number = execution_statements(watch->e);
	m->died = m->told < m->instance;
	reach(m);
	return NULL;
}

struct hence_error *violation_moment(struct violation_work *work, uint32_t instance,
                                     void (*take)(struct violation_moment *moment,
                                                  const struct activation *a),
                                     void *context)
{
	struct criterion unused = {0};
	struct violation_moment m = {.watch = {.run = work->run,
	                                       .until = work->question->until,
	                                       .statement = on_statement,
	                                       .finish = finish,
	                                       .out = &unused},
	                             .work = work,
	                             .instance = instance,
	                             .take = take,
	                             .context = context};
	struct hence_error *error = watch_run(&m.watch);

	watch_errors_deinit(&m.errors);
	criterion_deinit(&unused);
	return error;
}

void violation_express(struct violation_moment *m, const struct activation *a, LLVMValueRef value,
                       struct str *out)
{
	struct describe_scope scope = {.names = m->watch.names, .a = a};

	describe_expression(&scope, value, out);
}
