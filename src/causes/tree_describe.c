/* Places and texts of a cause tree's nodes: one decoding of the run, in which their statements are met. */
#include "causes/tree_words.h"

#include "describe/describe.h"

/* An instance of a node's cause. */
struct part {
	uint32_t statement; /* instance that ends the statement it belongs to */
	uint32_t instance;
	uint32_t node;
	bool done;
};

struct describing {
	struct tree *tree;
	struct names *names;
	VEC(struct part) parts;   /* by statement */
	uint32_t left;            /* that were not met yet */
	VEC(uint64_t) executions; /* of statements, by instruction */
};

static int by_statement(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->statement != y->statement)
		return x->statement < y->statement ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->instance < y->instance ? -1 : x->instance > y->instance;
}

static void add_part(struct describing *d, uint32_t node, uint32_t instance)
{
	struct part part = {
		.statement = tree_statement_of(d->tree->work, instance),
		.instance = instance,
		.node = node,
	};

	if (!part.statement && instance == d->tree->nodes.at[node].condition)
		part.statement = instance;
	if (part.statement)
		*vec_push(&d->parts) = part;
}

static void find_parts(struct describing *d)
{
	for (uint32_t i = 0; i < d->tree->nodes.size; i++) {
		const struct tree_node *n = &d->tree->nodes.at[i];

		if (n->described || !n->condition)
			continue;
		add_part(d, i, n->condition);
		for (uint32_t k = 0; k < n->cause.size; k++)
			if (n->cause.at[k] != n->condition)
				add_part(d, i, n->cause.at[k]);
	}
	d->left = d->parts.size;
	if (d->left)
		qsort(d->parts.at, d->parts.size, sizeof(*d->parts.at), by_statement);
}

/* The first of a statement. */
static uint32_t parts_of(const struct describing *d, uint32_t statement)
{
	uint32_t low = 0, high = d->parts.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (d->parts.at[middle].statement < statement)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- one statement --- */

/* Where and when it is. */
struct moment {
	struct walk_place place;
	uint64_t time, occurrence;
	uint32_t statement; /* instance */
	char *text;         /* NULL: not made yet */
	enum execution_event event;
};

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

/* How often the instruction is in a cause, be it that others stand for it. */
static uint64_t count_executions(const struct tree *tree, const struct part *part)
{
	const struct tree_work *w = tree->work;
	const struct tree_node *n = &tree->nodes.at[part->node];
	const uint32_t *count = tree_index_find(&w->more.at[part->node].counts,
	                                        execution_code(w->e, part->instance));

	if (part->instance == n->condition)
		return n->conditions.size;
	return count ? *count : 1;
}

static bool is_condition(const struct tree_node *n, uint32_t instance)
{
	for (uint32_t i = 0; i < n->core.size; i++)
		if (n->core.at[i] == instance)
			return true;
	return n->condition == instance;
}

/* The statement, if it is the last one that was added but for initial values; NULL: it is not. */
static struct tree_statement *last_of(struct tree_node *n, uint32_t statement)
{
	for (uint32_t i = n->statements.size; i-- > 0;)
		if (n->statements.at[i].time)
			return n->statements.at[i].instance == statement ? &n->statements.at[i]
			                                                 : NULL;
	return NULL;
}

static void take_statement(struct describing *d, struct moment *m, const struct part *part)
{
	struct tree_node *n = &d->tree->nodes.at[part->node];
	struct tree_statement *s = last_of(n, m->statement);
	uint64_t count = count_executions(d->tree, part);

	if (!s) {
		s = vec_push(&n->statements);
		s->instance = m->statement;
		s->time = m->time;
		s->file = copy(m->place.file);
		s->function = copy(m->place.function);
		s->line = m->place.line;
		s->column = m->place.column;
		s->text = mem_strdup(m->text);
	}
	if (count > s->count)
		s->count = count;
	s->condition |= is_condition(n, part->instance);
}

/* A load that read what a variable began with: where that is declared belongs to the cause. */
static void take_initial(struct describing *d, const struct part *part)
{
	struct tree_node *n = &d->tree->nodes.at[part->node];
	struct tree_statement *s;
	struct walk_place place;
	char *text;

	if (execution_insn(d->tree->work->e, part->instance)->op != CODE_LOAD ||
	    execution_source(d->tree->work->e, part->instance) != SOURCE_INITIAL)
		return;
	text = tree_words_initial(d->names, execution_code(d->tree->work->e, part->instance),
	                          &place);
	if (!text)
		return;
	s = vec_push(&n->statements);
	s->instance = part->instance;
	s->count = 1;
	s->file = copy(place.file);
	s->function = copy(place.function);
	s->line = place.line;
	s->column = place.column;
	s->text = text;
}

static void take_words(struct describing *d, struct tree_node *n, uint32_t node)
{
	const struct violation *v = &d->tree->violation;
	enum tree_kind kind = node ? tree_kind(n->reason) : TREE_OF_BRANCH;

	if (!node && v->wanted.length) {
		n->wanted = mem_strdup(str_text(&v->wanted));
		n->numbers = v->numbers.length ? mem_strdup(str_text(&v->numbers)) : NULL;
	} else if (node || v->kind == VIOLATION_BRANCH) {
		tree_words_condition(d->names, n->code, kind, d->tree->work->more.at[node].address,
		                     &n->wanted, &n->numbers);
	}
}

static void take_node(struct describing *d, const struct moment *m, uint32_t node)
{
	struct tree_node *n = &d->tree->nodes.at[node];
	struct walk_place place = names_place(d->names, n->code);

	if (!place.line)
		place = m->place;
	n->file = copy(place.file);
	n->function = copy(place.function);
	n->line = place.line;
	n->column = place.column;
	n->time = m->time;
	n->occurrence = m->occurrence;
	n->described = true;
	take_words(d, n, node);
}

static void take_parts(struct describing *d, struct moment *m)
{
	for (uint32_t i = parts_of(d, m->statement);
	     i < d->parts.size && d->parts.at[i].statement == m->statement; i++) {
		struct part *part = &d->parts.at[i];

		if (part->done)
			continue;
		if (!m->text)
			m->text = tree_words_statement(d->names, m->event);
		part->done = true;
		d->left--;
		take_statement(d, m, part);
		take_initial(d, part);
		if (d->tree->nodes.at[part->node].condition == part->instance)
			take_node(d, m, part->node);
	}
	free(m->text);
}

/* --- the run --- */

static uint64_t count_statement(struct describing *d, uint32_t code)
{
	while (d->executions.size <= code)
		vec_push(&d->executions);
	return ++d->executions.at[code];
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;
	const struct activation *a = execution_top(e, 0);
	struct moment m = {.time = number, .event = event, .statement = describe_instance(e)};
	uint32_t code = a->function->first + a->pc - 1;

	names_follow(d->names);
	if (event == EXECUTION_CALLS_BACK) /* it is told again */
		return;
	m.occurrence = count_statement(d, code);
	if (!d->left) {
		walk_halt(execution_walk(e));
		return;
	}
	m.place = names_place(d->names, code);
	take_parts(d, &m);
}

/* What the program died in never ends: it is told by what went wrong there. Of what is no statement at all, only the
   place is known. */
static void take_rest(struct describing *d, struct execution *e)
{
	const struct tree *tree = d->tree;
	uint32_t violated = tree_statement_of(tree->work, tree->violation.instance);

	for (uint32_t i = 0; i < d->parts.size; i++) {
		const struct part *part = &d->parts.at[i];
		uint32_t code = execution_code(tree->work->e, part->statement);
		struct moment m = {.time = execution_statements(e) + 1,
		                   .place = names_place(d->names, code),
		                   .statement = part->statement};

		if (part->done)
			continue;
		m.occurrence = count_statement(d, code);
		if (part->statement != violated && part->statement + 1 != tree->work->end) {
			if (part->instance == tree->nodes.at[part->node].condition)
				take_node(d, &m, part->node);
			continue;
		}
		m.text = mem_strdup(part->statement == violated ? str_text(&tree->violation.what)
		                                                : "the program died here");
		take_parts(d, &m);
	}
}

static struct hence_error *decode(struct describing *d)
{
	const struct recording *run = d->tree->work->run;
	const struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = d};
	struct execution *e;
	struct hence_error *error =
		execution_create(run->modules, run->folder, run->tape, &options, &e);

	if (error)
		return error;
	d->names = names_create(e);
	error = execution_run(e, run->death);
	if (!error)
		take_rest(d, e);
	names_destroy(d->names);
	execution_destroy(e);
	return error;
}

static int by_time(const void *a, const void *b)
{
	const struct tree_statement *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->instance < y->instance ? -1 : x->instance > y->instance;
}

/* It may lie in a function that was not executed yet when the node was described. */
static void place_vias(struct tree *tree)
{
	struct execution *e = tree->work->e;
	struct names *names = names_create(e);

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		struct tree_node *n = &tree->nodes.at[i];
		struct walk_place via;

		if (!n->described || !n->via || n->via_file)
			continue;
		via = names_place(names, execution_code(e, n->via));
		n->via_file = copy(via.file);
		n->via_line = via.line;
	}
	names_destroy(names);
}

struct hence_error *tree_describe(struct tree *tree)
{
	struct describing d = {.tree = tree};
	struct hence_error *error = NULL;

	find_parts(&d);
	if (d.left)
		error = decode(&d);
	place_vias(tree);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].statements.size)
			qsort(tree->nodes.at[i].statements.at, tree->nodes.at[i].statements.size,
			      sizeof(struct tree_statement), by_time);
	vec_deinit(&d.parts);
	vec_deinit(&d.executions);
	return error;
}
