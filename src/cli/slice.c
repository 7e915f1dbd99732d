/* `hence slice`: which statements a failure, a value or an output came from, or an input went to. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "failure/criterion.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "report/graph.h"
#include "report/json.h"
#include "report/listing.h"

/* What is to be printed. */
struct slice_answer {
	const struct options *options;
	const struct criterion *criterion;
	const struct slice *slice;
	const struct listing *listing;
	struct graph *graph; /* REPORT_DOT */
	struct str title;
	VEC(char *) notes;
};

struct slice_graph;

struct slice_expect {
	struct str expected, actual;
	int fd;         /* takes the output; 0 or less: none */
	bool line;      /* the text has no end of line; that of the output does not count */
	bool same;      /* after slice_expect_compare() */
	bool missing;   /* the output ends too early */
	uint64_t wrong; /* the first byte that differs */
};

/* --- --expect: the program's standard output against what is right --- */

static struct hence_error *read_all(int fd, struct str *out)
{
	char buffer[65536];
	ssize_t size;

	while ((size = read(fd, buffer, sizeof(buffer))) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return error_from_errno(HENCE_ERROR_INPUT, "reading");
		str_add_bytes(out, buffer, (size_t)size);
	}
	return NULL;
}

static struct hence_error *load(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct hence_error *error;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "--expect: cannot read %s", path);
	error = read_all(fd, out);
	close(fd);
	if (!error)
		return NULL;
	error_destroy(error);
	return error_from_errno(HENCE_ERROR_INPUT, "--expect: cannot read %s", path);
}

/* Takes a file or, if that is NULL, a text. Caller frees with slice_expect_deinit(), also after an
   error. */
static struct hence_error *slice_expect_init(struct slice_expect *e, const char *path,
                                             const char *text)
{
	struct hence_error *error = NULL;

	*e = (struct slice_expect){.fd = -1};
	if (path)
		error = load(path, &e->expected);
	else
		str_add(&e->expected, text);
	if (error)
		return error;
	e->line =
		!path && (!e->expected.length || e->expected.text[e->expected.length - 1] != '\n');
	e->fd = memfd_create("hence-output", MFD_CLOEXEC);
	if (e->fd >= 0)
		return NULL;
	return error_from_errno(HENCE_ERROR_INTERNAL, "cannot keep the program's output");
}

static void slice_expect_deinit(struct slice_expect *e)
{
	str_deinit(&e->expected);
	str_deinit(&e->actual);
	if (e->fd > 0)
		close(e->fd);
}

/* The user still sees what the program prints. */
static void show(const struct str *text)
{
	for (size_t done = 0; done < text->length;) {
		ssize_t size = write(2, text->text + done, text->length - done);

		if (size <= 0)
			return;
		done += (size_t)size;
	}
}

/* Compares when the program has ended, and shows its output on stderr. */
static struct hence_error *slice_expect_compare(struct slice_expect *e)
{
	size_t length, common = 0;
	struct hence_error *error;

	lseek(e->fd, 0, SEEK_SET);
	error = read_all(e->fd, &e->actual);
	if (error)
		return error;
	show(&e->actual);
	length = e->actual.length;
	/* A line that is given on the command line lacks its end. */
	if (e->line && length && e->actual.text[length - 1] == '\n')
		length--;
	while (common < length && common < e->expected.length &&
	       e->actual.text[common] == e->expected.text[common])
		common++;
	e->same = common == length && common == e->expected.length;
	e->wrong = common;
	e->missing = common == length && !e->same;
	return NULL;
}

/* --- --format dot: the dependences of a slice as a graph --- */

/*
 * A slice has dependences between instances of instructions. Those of one execution of a statement count as one, and instances
 * that belong to no statement (parameters that are stored, sides of ?:) are passed through. Nodes are statements: all executions
 * of one within the depth are the same node.
 */

#define MOST_EDGES (1u << 22)
#define DEEPEST    64u /* instances without a statement in a row */

/* The execution of a statement that an instance belongs to. */
struct owner {
	uint32_t whole, code;
};

MAP_DEFINE_U64(owner_map, struct owner);
MAP_DEFINE_U64(depth_map, uint32_t);
MAP_DEFINE_U64(node_map, uint32_t);

struct slice_graph {
	VEC(struct slice_edge) edges;
	struct owner_map owners;
	bool cut;

	/* while it is built */
	bool forward;
	uint64_t depth;
	struct depth_map seen; /* instances */
	struct node_map nodes; /* 1 + index, by code */
	struct node_map kinds; /* bits of enum graph_kind, by from << 32 | to (nodes) */
	VEC(uint32_t) now, next;
	const struct listing *listing;
	struct graph *out;
};

static struct slice_graph *slice_graph_create(void)
{
	return mem_alloc(sizeof(struct slice_graph));
}

static void slice_graph_destroy(struct slice_graph *g)
{
	if (!g)
		return;
	vec_deinit(&g->edges);
	vec_deinit(&g->now);
	vec_deinit(&g->next);
	owner_map_deinit(&g->owners);
	depth_map_deinit(&g->seen);
	node_map_deinit(&g->nodes);
	node_map_deinit(&g->kinds);
	free(g);
}

/* For slice_options.edge and listing_choice.member; the context is the graph. */
static void slice_graph_edge(void *context, const struct slice_edge *edge)
{
	struct slice_graph *g = context;

	if (g->edges.size >= MOST_EDGES)
		g->cut = true;
	else
		*vec_push(&g->edges) = *edge;
}

/* A part may serve several statements: the first counts. */
static void slice_graph_member(void *context, uint32_t part, uint32_t whole, uint32_t code)
{
	struct slice_graph *g = context;
	struct owner *owner = owner_map_put(&g->owners, part);

	if (!owner->whole)
		*owner = (struct owner){whole, code};
}

/* --- graph: nodes --- */

static const struct listing_statement *find_statement(const struct listing *l, uint32_t code,
                                                      const struct listing_line **line)
{
	for (uint32_t i = 0; i < l->lines.size; i++)
		for (uint32_t k = 0; k < l->lines.at[i].statements.size; k++)
			if (l->lines.at[i].statements.at[k].code == code) {
				*line = &l->lines.at[i];
				return &l->lines.at[i].statements.at[k];
			}
	return NULL;
}

static void describe(const struct listing_statement *s, struct str *out)
{
	uint32_t last = s->instances.size - 1;

	if (!s->instances.size)
		return;
	str_add(out, s->instances.at[0].text);
	if (s->varied)
		str_printf(out, " ... %s", s->instances.at[last].text);
	if (s->count > 1)
		str_printf(out, " x%llu", (unsigned long long)s->count);
}

/* The node of a statement: its index. */
static uint32_t node_of(struct slice_graph *g, uint32_t code)
{
	uint32_t *index = node_map_put(&g->nodes, code);
	const struct listing_line *line;
	const struct listing_statement *s;
	struct graph_node *node;
	struct str text = STR_INIT;

	if (*index)
		return *index - 1;
	node = vec_push(&g->out->nodes);
	*index = g->out->nodes.size;
	s = find_statement(g->listing, code, &line);
	if (s) {
		describe(s, &text);
		node->place = str_format("%s:%u in %s()", g->listing->files.at[line->file].name,
		                         line->line, line->function);
		node->marked = s->criterion;
		node->potential = s->potential;
	}
	node->text = str_steal(&text);
	return g->out->nodes.size - 1;
}

/* What is no instruction: the program's arguments. */
static uint32_t given_node(struct slice_graph *g)
{
	uint32_t *index = node_map_put(&g->nodes, UINT64_MAX);

	if (!*index) {
		*vec_push(&g->out->nodes) =
			(struct graph_node){.text = mem_strdup("arguments, environment")};
		*index = g->out->nodes.size;
	}
	return *index - 1;
}

/* --- graph: edges --- */

static uint32_t near_end(const struct slice_graph *g, const struct slice_edge *edge)
{
	return g->forward ? edge->from : edge->to;
}

static uint32_t far_end(const struct slice_graph *g, const struct slice_edge *edge)
{
	return g->forward ? edge->to : edge->from;
}

static int by_to(const void *a, const void *b)
{
	const struct slice_edge *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

static int by_from(const void *a, const void *b)
{
	const struct slice_edge *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* The first edge of an instance; edges are sorted. */
static uint32_t first_edge(const struct slice_graph *g, uint32_t instance)
{
	uint32_t low = 0, high = g->edges.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (near_end(g, &g->edges.at[middle]) < instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void connect(struct slice_graph *g, uint32_t near, uint32_t far, enum graph_kind kind)
{
	uint64_t from = g->forward ? near : far, to = g->forward ? far : near;
	uint32_t *kinds = node_map_put(&g->kinds, from << 32 | to);

	if (*kinds & 1u << kind)
		return;
	*kinds |= 1u << kind;
	*vec_push(&g->out->edges) =
		(struct graph_edge){.from = (uint32_t)from, .to = (uint32_t)to, .kind = kind};
}

static enum graph_kind kind_of(const struct slice_edge *edge)
{
	return edge->potential ? GRAPH_POTENTIAL : edge->control ? GRAPH_CONTROL : GRAPH_DATA;
}

static bool see(struct slice_graph *g, uint32_t instance)
{
	uint32_t *seen = depth_map_put(&g->seen, instance);

	if (*seen)
		return false;
	*seen = 1;
	return true;
}

static void follow(struct slice_graph *g, const struct owner *home, uint32_t instance,
                   const struct slice_edge *through, bool further, unsigned steps);

/* One dependence of an instance of the statement `home`; `through`: the first one on the way from
   it, when instances without a statement lie in between. */
static void follow_edge(struct slice_graph *g, const struct owner *home,
                        const struct slice_edge *edge, const struct slice_edge *through,
                        bool further, unsigned steps)
{
	uint32_t far = far_end(g, edge);
	const struct owner *owner = owner_map_find(&g->owners, far);
	enum graph_kind kind = kind_of(through ? through : edge);

	if (far < EXECUTION_FIRST) {
		if (far == SOURCE_GIVEN && further)
			connect(g, node_of(g, home->code), given_node(g), kind);
	} else if (!owner) {
		if (steps < DEEPEST)
			follow(g, home, far, through ? through : edge, further, steps + 1);
	} else if (owner->whole == home->whole) {
		if (see(g, far))
			*vec_push(&g->now) = far;
	} else if (further) {
		connect(g, node_of(g, home->code), node_of(g, owner->code), kind);
		if (see(g, far))
			*vec_push(&g->next) = far;
	}
}

static void follow(struct slice_graph *g, const struct owner *home, uint32_t instance,
                   const struct slice_edge *through, bool further, unsigned steps)
{
	for (uint32_t i = first_edge(g, instance);
	     i < g->edges.size && near_end(g, &g->edges.at[i]) == instance; i++)
		follow_edge(g, home, &g->edges.at[i], through, further, steps);
}

/* --- graph: from the criterion on --- */

/* A beginning that belongs to no statement leads to those around it. */
static void begin(struct slice_graph *g, uint32_t instance, unsigned steps)
{
	const struct owner *owner = owner_map_find(&g->owners, instance);

	if (owner) {
		node_of(g, owner->code);
		if (see(g, instance))
			*vec_push(&g->now) = instance;
		return;
	}
	for (uint32_t i = first_edge(g, instance);
	     steps < DEEPEST && i < g->edges.size && near_end(g, &g->edges.at[i]) == instance; i++)
		if (far_end(g, &g->edges.at[i]) >= EXECUTION_FIRST)
			begin(g, far_end(g, &g->edges.at[i]), steps + 1);
}

/* Instances of a forward slice that nothing in it leads to: what read the input. */
static void begin_with_roots(struct slice_graph *g, const struct slice *slice)
{
	roaring_bitmap_t *roots = roaring_bitmap_copy(slice->instances);
	roaring_uint32_iterator_t *i;

	for (uint32_t k = 0; k < g->edges.size; k++)
		if (g->edges.at[k].from >= EXECUTION_FIRST)
			roaring_bitmap_remove(roots, g->edges.at[k].to);
	i = roaring_create_iterator(roots);
	for (; i->has_value; roaring_advance_uint32_iterator(i))
		begin(g, i->current_value, 0);
	roaring_free_uint32_iterator(i);
	roaring_bitmap_free(roots);
}

static void walk(struct slice_graph *g)
{
	for (uint64_t depth = 0; g->now.size; depth++) {
		for (uint32_t i = 0; i < g->now.size; i++) {
			struct owner home = *owner_map_find(&g->owners, g->now.at[i]);

			follow(g, &home, g->now.at[i], NULL, depth < g->depth, 0);
		}
		g->now.size = 0;
		for (uint32_t i = 0; i < g->next.size; i++)
			*vec_push(&g->now) = g->next.at[i];
		g->next.size = 0;
	}
}

/* The statements within `depth` dependences of the criterion (forward: of what was begun with).
   True: there were too many dependences, and some are missing. */
static bool slice_graph_build(struct slice_graph *g, const struct criterion *criterion,
                              const struct slice *slice, const struct listing *listing,
                              uint64_t depth, bool forward, struct graph *out)
{
	g->listing = listing;
	g->out = out;
	g->depth = depth;
	g->forward = forward;
	if (g->edges.size)
		qsort(g->edges.at, g->edges.size, sizeof(*g->edges.at), forward ? by_from : by_to);
	for (uint32_t i = 0; i < criterion->marks.size && !forward; i++)
		begin(g, criterion->marks.at[i], 0);
	for (uint32_t i = 0; i < criterion->at.size; i++)
		begin(g, criterion->at.at[i].instance, 0);
	if (forward && !criterion->at.size)
		begin_with_roots(g, slice);
	walk(g);
	return g->cut;
}

#define DEPTH 4u /* of a graph, when none is given */

/* --- options that do not go together --- */

static struct hence_error *judge_forward(const struct options *c)
{
	if (c->has_output || c->report.failure.expect || c->report.failure.expect_text)
		return error_create(HENCE_ERROR_INPUT,
		                    "a forward slice begins with input or with --at; leave out "
		                    "--output, --expect and --expect-text");
	if (c->relevant)
		return error_create(HENCE_ERROR_INPUT,
		                    "--relevant is for backward slices; leave out --forward");
	if (!c->file && !c->inputs.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "--forward: say from where, with --at FILE:LINE[:VARIABLE], "
		                    "--argument N, --input FROM-TO or --env NAME");
	return NULL;
}

static struct hence_error *judge_backward(const struct options *c)
{
	int given = !!c->file + c->has_output +
	            (c->report.failure.expect || c->report.failure.expect_text);

	if (c->inputs.size)
		return error_create(HENCE_ERROR_INPUT, "--argument, --input and --env are where a "
		                                       "forward slice begins; add --forward");
	if (given > 1)
		return error_create(
			HENCE_ERROR_INPUT,
			"give only one of --at, --output and --expect: a slice has one criterion");
	return NULL;
}

static struct hence_error *judge(const struct options *c)
{
	if (c->instance && !c->file)
		return error_create(
			HENCE_ERROR_INPUT,
			"--instance counts executions of a line; give it with --at FILE:LINE");
	if (c->depth && c->report.format != REPORT_DOT)
		return error_create(HENCE_ERROR_INPUT,
		                    "--depth is how far a graph goes; give it with --format dot");
	if (c->relevant && c->data)
		return error_create(
			HENCE_ERROR_INPUT,
			"--relevant adds branches, and --data leaves all out; give one of them");
	return c->forward ? judge_forward(c) : judge_backward(c);
}

/* --- printing: text --- */

/* Columns of the terminal; 0: it is none. */
static unsigned terminal_width(FILE *file)
{
	struct winsize size;

	if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

static void print_legend(const struct slice_answer *a, FILE *file)
{
	bool potential = false;

	for (uint32_t i = 0; i < a->listing->lines.size; i++)
		potential |=
			a->listing->lines.at[i].potential && !a->listing->lines.at[i].criterion;
	if (potential)
		fputs("\n? taken the other way, this could have changed what a line of the slice "
		      "read\n",
		      file);
}

static void print_text(const struct slice_answer *a, FILE *file)
{
	struct listing_style style = {
		.colour = report_use_color(a->options->report.color, a->options->report.out),
		.width = terminal_width(file)};
	struct str notes = STR_INIT;

	fprintf(file, "%s%s%s\n", style.colour ? "\x1b[1m" : "", str_text(&a->title),
	        style.colour ? "\x1b[0m" : "");
	if (a->criterion->why.length)
		fprintf(file, "%s\n", str_text(&a->criterion->why));
	for (uint32_t i = 0; i < a->notes.size; i++)
		fprintf(file, "%s\n", a->notes.at[i]);
	listing_print_text(a->listing, &style, file, &notes);
	print_legend(a, file);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
	str_deinit(&notes);
}

/* --- printing: JSON and others --- */

static void add_criterion(const struct criterion *c, struct str *out)
{
	json_add_key(out, "criterion");
	str_add_char(out, '{');
	json_add_member(out, "kind", criterion_kind_name(c->kind));
	json_add_member(out, "what", str_text(&c->what));
	if (c->why.length)
		json_add_member(out, "why", str_text(&c->why));
	if (c->file) {
		json_add_member(out, "file", c->file);
		json_add_number(out, "line", c->line);
		json_add_number(out, "column", c->column);
	}
	if (c->function)
		json_add_member(out, "function", c->function);
	str_add_char(out, '}');
}

static void add_sizes(const struct slice_answer *a, struct str *out)
{
	json_add_key(out, "sizes");
	str_add_char(out, '{');
	json_add_number(out, "program", a->listing->program);
	json_add_number(out, "executed", a->listing->executed);
	json_add_number(out, "slice", a->listing->chosen);
	json_add_number(out, "instances", roaring_bitmap_get_cardinality(a->slice->instances));
	json_add_number(out, "executed_instances", a->slice->total);
	json_add_number(out, "statements", a->slice->statements);
	str_add_char(out, '}');
}

static void add_notes_json(const struct slice_answer *a, struct str *out)
{
	json_add_key(out, "notes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->notes.size; i++) {
		if (i)
			str_add_char(out, ',');
		json_add_string(out, a->notes.at[i]);
	}
	str_add_char(out, ']');
}

static void print_json(const struct slice_answer *a, FILE *file)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	json_add_member(&out, "slice", a->options->forward ? "forward" : "backward");
	add_criterion(a->criterion, &out);
	add_sizes(a, &out);
	json_add_key(&out, "lines");
	listing_add_json(a->listing, &out);
	add_notes_json(a, &out);
	json_add_key(&out, "complete");
	str_add(&out, a->slice->stopped ? "false}" : "true}");
	fprintf(file, "%s\n", str_text(&out));
	str_deinit(&out);
}

static void slice_print(const struct slice_answer *a, FILE *file)
{
	switch (a->options->report.format) {
	default: print_text(a, file); break;
	case REPORT_GCC: listing_print_gcc(a->listing, file); break;
	case REPORT_JSON: print_json(a, file); break;
	case REPORT_DOT: graph_print_dot(a->graph, file); break;
	}
}

#define NOT_FAILING 1 /* exit code when there is nothing to explain */

/* All that is made on the way. */
struct work {
	const struct options *options;
	struct run run;
	struct slice_expect expect;
	struct modules *modules;
	const struct run_tape *recorded;
	struct walk_place death;
	struct recording tape;
	struct criterion criterion;
	struct slice slice;
	struct slice_graph *dependences;
	struct listing listing;
	struct graph graph;
	struct slice_answer answer;
	double until;
};

static void note(struct work *w, char *text)
{
	*vec_push(&w->answer.notes) = text;
}

/* --- the criterion --- */

static struct hence_error *find_place(struct work *w)
{
	const struct options *c = w->options;
	struct criterion_point point = {.file = c->file,
	                                .line = c->line,
	                                .variable = c->at_variable,
	                                .instance = c->instance ? c->instance : -1};

	return criterion_of_place(&w->tape, &point, w->until, &w->criterion);
}

static struct hence_error *find_failure(struct work *w)
{
	return criterion_of_failure(&w->tape, &w->recorded->outcome, w->until, &w->criterion);
}

/* A program that died early says more by that than by output that is missing. */
static struct hence_error *find_wrong(struct work *w)
{
	enum outcome_kind kind = w->recorded->outcome.kind;
	struct str output;
	struct hence_error *error = slice_expect_compare(&w->expect);

	if (error)
		return error;
	if (w->expect.same ||
	    (w->expect.missing && (kind == OUTCOME_SIGNALLED || kind == OUTCOME_TIMED_OUT)))
		return find_failure(w);
	output = w->expect.actual;
	/* An end of line that was not asked for is not a part of it. */
	if (w->expect.missing)
		output.length = w->expect.wrong;
	return criterion_of_wrong_output(&w->tape, &output, w->expect.wrong, w->until,
	                                 &w->criterion);
}

static struct hence_error *find_criterion(struct work *w)
{
	const struct options *c = w->options;

	if (c->file)
		return find_place(w);
	if (c->has_output)
		return criterion_of_output(&w->tape, c->stream, c->byte, w->until, &w->criterion);
	if (c->report.failure.expect || c->report.failure.expect_text)
		return find_wrong(w);
	return find_failure(w);
}

/* --- the input of a forward slice --- */

static void add_range(const struct slice_input *input, struct str *out)
{
	if (!input->to)
		return;
	str_printf(out, input->to - input->from == 1 ? ", byte %llu" : ", bytes %llu",
	           (unsigned long long)input->from);
	if (input->to == UINT64_MAX)
		str_add(out, " to the end");
	else if (input->to - input->from > 1)
		str_printf(out, " to %llu", (unsigned long long)input->to - 1);
}

static void add_input(const struct slice_input *input, struct str *out)
{
	if (input->kind == SLICE_ARGUMENT)
		str_printf(out, "argument %u", input->index);
	else if (input->kind == SLICE_VARIABLE)
		str_printf(out, "the environment's %s", input->name);
	else
		str_add(out, input->name ? input->name : "standard input");
	add_range(input, out);
}

/* Arguments can be looked at beforehand. */
static struct hence_error *check_inputs(const struct options *c)
{
	uint32_t count = 0;

	while (c->report.run.command[count])
		count++;
	for (uint32_t i = 0; i < c->inputs.size; i++) {
		const struct slice_input *input = &c->inputs.at[i];
		size_t length;

		if (input->kind != SLICE_ARGUMENT)
			continue;
		if (input->index >= count)
			return error_create(HENCE_ERROR_INPUT,
			                    "--argument %u: the program is given %u argument%s",
			                    input->index, count - 1, count == 2 ? "" : "s");
		length = strlen(c->report.run.command[input->index]);
		if (input->to && input->from >= length)
			return error_create(
				HENCE_ERROR_INPUT,
				"--argument %u:%llu: '%s' has %zu bytes, and the first is 0",
				input->index, (unsigned long long)input->from,
				c->report.run.command[input->index], length);
	}
	return NULL;
}

static void describe_inputs(struct work *w)
{
	const struct options *c = w->options;

	for (uint32_t i = 0; i < c->inputs.size; i++) {
		if (w->criterion.what.length)
			str_add(&w->criterion.what, " and ");
		add_input(&c->inputs.at[i], &w->criterion.what);
	}
}

/* --- the slice --- */

static bool is_late(void *context)
{
	const struct work *w = context;

	return budget_clock() > w->until;
}

/* A value that no statement computed. */
static void slice_nothing(struct slice *out)
{
	*out = (struct slice){.instances = roaring_bitmap_create(),
	                      .codes = roaring_bitmap_create(),
	                      .potential = roaring_bitmap_create()};
}

/* The edge goes to whom it concerns by one context. */
static void on_edge(void *context, const struct slice_edge *edge)
{
	struct work *w = context;

	slice_graph_edge(w->dependences, edge);
}

static void on_member(void *context, uint32_t part, uint32_t whole, uint32_t code)
{
	struct work *w = context;

	slice_graph_member(w->dependences, part, whole, code);
}

static struct hence_error *make_slice(struct work *w)
{
	const struct options *c = w->options;
	struct slice_options options = {
		.data_only = c->data,
		.relevant = c->relevant,
		.edge = c->report.format == REPORT_DOT ? on_edge : NULL,
		.stop = is_late,
		.context = w,
	};

	if (!w->criterion.at.size && !c->inputs.size) {
		slice_nothing(&w->slice);
		return NULL;
	}
	if (c->forward)
		return slice_forward(&w->tape, w->criterion.at.at, w->criterion.at.size,
		                     c->inputs.at, c->inputs.size, &options, &w->slice);
	return slice_backward(&w->tape, w->criterion.at.at, w->criterion.at.size, &options,
	                      &w->slice);
}

static struct hence_error *make_listing(struct work *w)
{
	struct listing_choice choice = {
		.codes = w->slice.codes,
		.instances = w->slice.instances,
		.potential = w->slice.potential,
		.marks = w->criterion.marks.at,
		.mark_count = w->criterion.marks.size,
		.end = w->criterion.end,
		.until = budget_clock() + w->options->report.run.time,
		.member = w->dependences ? on_member : NULL,
		.context = w,
	};

	return listing_collect(&w->tape, &choice, &w->listing);
}

/* --- notes about it --- */

static void add_title(struct work *w)
{
	struct str *title = &w->answer.title;

	str_printf(title, "%s slice of %s", w->options->forward ? "forward" : "backward",
	           str_text(&w->criterion.what));
	criterion_add_place(&w->criterion, title);
	str_printf(title, ": %llu of %llu executed lines (of %llu)",
	           (unsigned long long)w->listing.chosen, (unsigned long long)w->listing.executed,
	           (unsigned long long)w->listing.program);
}

static void add_notes(struct work *w)
{
	const struct slice *s = &w->slice;

	for (uint32_t i = 0; i < w->criterion.notes.size; i++)
		note(w, mem_strdup(w->criterion.notes.at[i]));
	/* A person reads them on standard error. */
	for (uint32_t i = 0; w->options->report.format == REPORT_JSON && i < w->run.notes.size; i++)
		note(w, mem_strdup(w->run.notes.at[i]));
	if (!w->options->forward && !w->listing.chosen && !w->criterion.notes.size)
		note(w, str_format("no statement computed it: it is as the program was given it"));
	if (w->options->forward && !w->listing.chosen)
		note(w, str_format("no statement depends on it: the program never used it"));
	if (s->unseen)
		note(w, str_format("the slice reaches memory that code without a model wrote: it "
		                   "may lack something"));
	if (s->guesses)
		note(w,
		     str_format("%u call%s of functions without a model %s in the slice: what %s "
		                "read and wrote is a guess (--models FILE says)",
		                s->guesses, s->guesses == 1 ? "" : "s",
		                s->guesses == 1 ? "is" : "are", s->guesses == 1 ? "it" : "they"));
	if (s->stopped)
		note(w, str_format("reading ended after %g seconds, so the slice is incomplete; "
		                   "--time SECONDS allows more",
		                   w->options->report.run.time));
}

static void make_graph(struct work *w)
{
	if (!w->dependences)
		return;
	w->graph.title = mem_strdup(str_text(&w->answer.title));
	if (slice_graph_build(w->dependences, &w->criterion, &w->slice, &w->listing,
	                      w->options->depth ? w->options->depth : DEPTH, w->options->forward,
	                      &w->graph))
		run_note(&w->run, "note: the slice has too many dependences for a graph; some are "
		                  "missing in it");
	w->answer.graph = &w->graph;
}

/* --- the command --- */

static struct hence_error *explain(struct work *w)
{
	struct hence_error *error = make_slice(w);

	if (!error)
		error = make_listing(w);
	if (error)
		return error;
	w->answer.options = w->options;
	w->answer.criterion = &w->criterion;
	w->answer.slice = &w->slice;
	w->answer.listing = &w->listing;
	add_title(w);
	add_notes(w);
	make_graph(w);
	return NULL;
}

static struct hence_error *print(struct work *w)
{
	FILE *file;
	struct hence_error *error = record_open(w->options->report.out, &file);

	if (error)
		return error;
	slice_print(&w->answer, file);
	error = record_close(w->options->report.out, file);
	fflush(stdout);
	record_print_outcome(&w->run);
	return error;
}

static int say_no_failure(struct work *w)
{
	record_print_outcome(&w->run);
	fprintf(stderr,
	        "hence: %s does not fail%s; choose what to slice from with --at FILE:LINE[:VAR] or "
	        "--output BYTE%s\n",
	        w->run.program.name,
	        w->expect.fd > 0 ? ": its output is as expected" : " (exit status 0)",
	        w->expect.fd > 0 ? "" : ", or say what it should print with --expect FILE");
	return NOT_FAILING;
}

static struct hence_error *record(struct work *w)
{
	const struct options *c = w->options;
	struct hence_error *error = run_check_output(c->report.out, "-o", false);

	if (!error)
		error = check_inputs(c);
	if (!error && (c->report.failure.expect || c->report.failure.expect_text))
		error = slice_expect_init(&w->expect, c->report.failure.expect,
		                          c->report.failure.expect_text);
	if (error)
		return error;
	w->run.output = w->expect.fd > 0 ? w->expect.fd : c->report.out ? -1 : 2;
	error = run_record(&w->run);
	if (!error)
		error = record_choose(&w->run, c->process, &w->recorded);
	return error;
}

static struct hence_error *perform(struct work *w, int *code)
{
	const struct options *c = w->options;
	struct hence_error *error = record(w);

	if (error)
		return error;
	w->modules = modules_create();
	w->tape = record_slice_run(&w->run, w->recorded, w->modules, &w->death);
	w->until = budget_clock() + c->report.run.time;
	if (!c->forward || c->file)
		error = find_criterion(w);
	if (error)
		return error;
	describe_inputs(w);
	if (!c->forward && w->criterion.kind == CRITERION_NONE) {
		*code = say_no_failure(w);
		return NULL;
	}
	error = explain(w);
	return error ? error : print(w);
}

static void deinit(struct work *w)
{
	slice_graph_destroy(w->dependences);
	graph_deinit(&w->graph);
	listing_deinit(&w->listing);
	if (w->slice.instances)
		slice_deinit(&w->slice);
	criterion_deinit(&w->criterion);
	str_deinit(&w->answer.title);
	for (uint32_t i = 0; i < w->answer.notes.size; i++)
		free(w->answer.notes.at[i]);
	vec_deinit(&w->answer.notes);
	if (w->modules)
		modules_destroy(w->modules);
	run_deinit(&w->run);
	slice_expect_deinit(&w->expect);
}

static struct hence_error *slice(struct options *options, int *code)
{
	struct work w = {.options = options,
	                 .run = {.options = &options->report.run, .input = -1, .output = -1}};
	struct hence_error *error = judge(options);

	if (options->report.format == REPORT_DOT)
		w.dependences = slice_graph_create();
	if (!error)
		error = perform(&w, code);
	deinit(&w);
	return error;
}

const struct command command_slice = {
	.name = "slice",
	.bit = COMMAND_SLICE,
	.formats = REPORT_LISTS | 1u << REPORT_DOT,
	.usage = "hence slice [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show the statements that a failure, a value or an output came from",
	.about = "Runs a program that was built with hence cc, and shows the statements that a "
		 "failure, a value or an output came from, with the values that they had. Without "
		 "options the failure is the criterion: a crash, a failed assert, exit() with a "
		 "status that is not 0, a hang (--timeout), or the first memory error. The "
		 "exit code is 0 when a slice was printed, 1 when the program does not fail, 2 for "
		 "bad input, 4 for an internal error.",
	.run = slice,
};
