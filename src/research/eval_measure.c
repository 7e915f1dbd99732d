/* What reports say about the faults, and scores over the static dependence graph: see eval.h. */
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/installed.h"
#include "base/map.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "outside/table.h"
#include "report/json.h"
#include "research/eval.h"
#include "research/score_graph.h"
#include "research/metrics.h"
#include "research/pdg.h"

/* ------ ranks of the fault ------ */

/* --- places --- */

static json_int_t number_in(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void set_number(json_t *row, const char *key, json_int_t number)
{
	json_object_set_new(row, key, json_integer(number));
}

static void set_flag(json_t *row, const char *key, bool flag)
{
	json_object_set_new(row, key, json_boolean(flag));
}

bool eval_is_fault(const struct eval_fault *fault, const json_t *object)
{
	const char *file = json_string_value(json_object_get(object, "file"));
	json_int_t line = number_in(object, "line");

	for (uint32_t i = 0; file && line > 0 && i < fault->places.size; i++)
		if (score_is_place(file, (unsigned)line, fault->places.at[i].file,
		                   fault->places.at[i].line, fault->near))
			return true;
	return false;
}

bool eval_is_faulty(const struct eval_case *c, const json_t *object)
{
	for (uint32_t i = 0; i < c->faults.size; i++)
		if (eval_is_fault(&c->faults.at[i], object))
			return true;
	return false;
}

/* Is each fault at the place of some object of the list? */
static bool has_all_faults(const struct eval_case *c, const json_t *list)
{
	const json_t *object;
	size_t k;

	for (uint32_t i = 0; i < c->faults.size; i++) {
		bool found = false;

		json_array_foreach(list, k, object) found =
			found || eval_is_fault(&c->faults.at[i], object);
		if (!found)
			return false;
	}
	return true;
}

static bool same_line(const json_t *a, const json_t *b)
{
	const char *one = json_string_value(json_object_get(a, "file"));
	const char *two = json_string_value(json_object_get(b, "file"));

	return one && two && !strcmp(one, two) && number_in(a, "line") == number_in(b, "line");
}

/* --- suspects: the rank of the first faulty line --- */

static bool is_new(const json_t *list, size_t index)
{
	const json_t *own = json_array_get(list, index);

	for (size_t i = 0; i < index; i++)
		if (same_line(json_array_get(list, i), own))
			return false;
	return true;
}

/* Gives the number of different lines in a list of places, and at how manieth of them the first fault is: *rank, 0 if it is at none, and its place in the list. */
static json_int_t count_lines(const struct eval_case *c, const json_t *list, json_int_t *rank,
                              size_t *first)
{
	const json_t *object;
	json_int_t lines = 0;
	size_t i;

	*rank = 0;
	*first = 0;
	json_array_foreach(list, i, object)
	{
		lines += is_new(list, i);
		if (*rank || !eval_is_faulty(c, object))
			continue;
		*rank = lines;
		*first = i;
	}
	return lines;
}

static void measure_suspects(const struct eval_case *c, const json_t *report, uint32_t lines,
                             json_t *row)
{
	const json_t *list = json_object_get(report, "suspects");
	json_int_t count, rank;
	size_t first;

	if (!list)
		return;
	count = count_lines(c, list, &rank, &first);
	set_number(row, "suspects", count);
	set_number(row, "rank", rank);
	if (lines)
		json_object_set_new(row, "examined_percent",
		                    json_real(rank ? metrics_percent((double)rank, lines) : 100));
}

/* --- chains --- */

/* The first step that a statement made: that of an ideal chain should be the fault. */
static bool begins_at_fault(const struct eval_case *c, const json_t *steps)
{
	const json_t *step, *cause;
	size_t i;

	json_array_foreach(steps, i, step)
	{
		cause = json_object_get(step, "cause");
		if (cause)
			return eval_is_faulty(c, cause);
	}
	return false;
}

static void measure_steps(const struct eval_case *c, const json_t *report, json_t *row)
{
	const json_t *steps = json_object_get(report, "steps"), *quality, *step;
	json_int_t transitions = 0;
	size_t i;

	if (!steps)
		return;
	json_array_foreach(steps, i, step) transitions +=
		json_is_true(json_object_get(step, "transition"));
	set_number(row, "steps", (json_int_t)json_array_size(steps));
	set_number(row, "transitions", transitions);
	set_flag(row, "begins_at_fault", begins_at_fault(c, steps));
	quality = json_object_get(report, "quality");
	if (quality)
		json_object_set(row, "quality", (json_t *)quality);
}

/* --- slices and chops --- */

/* Different statements: line and column of what is listed. */
static json_int_t count_statements(const json_t *lines)
{
	const json_t *line, *instance;
	json_int_t count = 0;
	size_t i, k;

	json_array_foreach(lines, i, line)
	{
		const json_t *instances = json_object_get(line, "instances");

		json_array_foreach(instances, k, instance)
		{
			size_t before = 0;

			while (before < k && number_in(json_array_get(instances, before),
			                               "column") != number_in(instance, "column"))
				before++;
			count += before == k;
		}
	}
	return count;
}

static void measure_lines(const struct eval_case *c, const json_t *report, const char *key,
                          json_t *row)
{
	const json_t *lines = json_object_get(report, key);

	json_object_set(row, "sizes", json_object_get(report, "sizes"));
	set_number(row, "listed", (json_int_t)json_array_size(lines));
	set_number(row, "statements", count_statements(lines));
	set_flag(row, "has_fault", has_all_faults(c, lines));
}

/* --- trees --- */

static bool node_has(const json_t *node, const struct eval_fault *fault)
{
	const json_t *cause = json_object_get(node, "cause"), *statement;
	size_t i;

	if (eval_is_fault(fault, node))
		return true;
	json_array_foreach(cause, i, statement) if (eval_is_fault(fault, statement)) return true;
	return false;
}

/* The first level that has the fault; -1: none has. */
static json_int_t level_of(const json_t *nodes, const struct eval_fault *fault)
{
	json_int_t level = -1;
	const json_t *node;
	size_t i;

	json_array_foreach(nodes, i, node) if (node_has(node, fault) &&
	                                       (level < 0 || number_in(node, "level") < level))
		level = number_in(node, "level");
	return level;
}

/* The executed instructions of the nodes up to the one with the last fault, in the order in which they are printed. */
static json_int_t read_until(const struct eval_case *c, const json_t *nodes)
{
	bool *found = mem_alloc(c->faults.size + 1), *met = mem_alloc(json_array_size(nodes) + 1);
	uint32_t left = c->faults.size;
	VEC(size_t) todo = VEC_INIT;
	json_int_t size = 0;

	*vec_push(&todo) = 0;
	while (todo.size && left) {
		size_t at = todo.at[--todo.size];
		const json_t *node = json_array_get(nodes, at);
		const json_t *children = json_object_get(node, "children");

		if (!node || met[at])
			continue;
		met[at] = true;
		size += number_in(node, "size");
		for (uint32_t i = 0; i < c->faults.size; i++)
			if (!found[i] && node_has(node, &c->faults.at[i])) {
				found[i] = true;
				left--;
			}
		for (size_t i = json_array_size(children); i-- > 0;)
			*vec_push(&todo) =
				(size_t)json_integer_value(json_array_get(children, i)) - 1;
	}
	vec_deinit(&todo);
	free(found);
	free(met);
	return size;
}

static void measure_tree(const struct eval_case *c, const json_t *report, json_t *row)
{
	const json_t *tree = json_object_get(report, "tree");
	const json_t *stats = json_object_get(tree, "stats"),
		     *nodes = json_object_get(tree, "nodes");
	json_int_t level = c->faults.size ? 0 : -1, instances = number_in(stats, "instances");

	if (!tree)
		return;
	for (uint32_t i = 0; i < c->faults.size && level >= 0; i++) {
		json_int_t own = level_of(nodes, &c->faults.at[i]);

		level = own < 0 || own > level ? own : level;
	}
	set_flag(row, "has_fault", level >= 0);
	if (level >= 0)
		set_number(row, "level", level);
	set_number(row, "nodes", number_in(stats, "nodes"));
	set_number(row, "proven_nodes", number_in(stats, "proven"));
	set_number(row, "instances", instances);
	set_number(row, "inside", number_in(stats, "inside"));
	set_number(row, "read", read_until(c, nodes));
	set_number(row, "tree_lines", number_in(stats, "lines"));
	set_number(row, "solver_calls", number_in(stats, "solver_calls"));
	set_number(row, "experiments", number_in(stats, "experiments"));
}

/* --- edits --- */

/* The report has those of the best tier only, and at most a few hundred: how many lines have one is in its statistics. */
static void measure_edits(const struct eval_case *c, const json_t *report, json_t *row)
{
	const json_t *list = json_object_get(report, "fixes");
	const json_t *stats = json_object_get(report, "stats");
	double seconds = json_number_value(json_object_get(stats, "seconds"));
	json_int_t rank, tried = number_in(stats, "edits_run");
	size_t first;

	if (!list)
		return;
	count_lines(c, list, &rank, &first);
	set_number(row, "experiments", number_in(stats, "runs"));
	set_number(row, "edit_rank", rank);
	set_number(row, "edit_lines", number_in(stats, "edit_places"));
	set_number(row, "edits", number_in(stats, "edits"));
	set_number(row, "edits_tried", tried);
	if (seconds > 0)
		json_object_set_new(row, "edits_per_second", json_real((double)tried / seconds));
	if (rank)
		json_object_set(row, "edit_class",
		                json_object_get(json_array_get(list, first), "class"));
}

/* --- all --- */

void eval_measure(const struct eval_case *c, enum eval_method method, const json_t *report,
                  uint32_t lines, json_t *row)
{
	const json_t *verdict = json_object_get(report, "verdict");
	const json_t *count = json_object_get(json_object_get(report, "stats"), "experiments");

	if (verdict)
		json_object_set(row, "verdict", (json_t *)verdict);
	/* Reports say it in their statistics, or at their top. */
	if (!count)
		count = json_object_get(report, "experiments");
	if (count)
		set_number(row, "experiments", json_integer_value(count));
	measure_suspects(c, report, lines, row);
	if (method != EVAL_FIX)
		measure_steps(c, report, row);
	if (method == EVAL_TREE)
		measure_tree(c, report, row);
	if (method == EVAL_CHOP)
		measure_lines(c, report, "chop", row);
	if (method == EVAL_SLICE || method == EVAL_RELEVANT)
		measure_lines(c, report, "lines", row);
	if (method == EVAL_FIX)
		measure_edits(c, report, row);
	if (method == EVAL_SWITCH) {
		const json_t *list = json_object_get(report, "predicates"), *predicate;
		bool at_fault = false;
		size_t i;

		json_array_foreach(list, i, predicate) at_fault =
			at_fault || eval_is_faulty(c, predicate);
		set_number(row, "predicates", (json_int_t)json_array_size(list));
		set_flag(row, "at_fault", at_fault);
	}
}

/* ------ scores ------ */

#define LEAST_ADDRESS 6 /* digits of a number that may be an address */

/* --- the graph as JSON --- */

/* The nodes that one depends on, by edges of a kind. */
static void add_before(const struct score_graph *graph, uint32_t node, const char *key,
                       enum score_edge kind, struct str *out)
{
	const char *comma = "";

	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < graph->nodes.at[node].from.size; i++) {
		uint32_t from = graph->nodes.at[node].from.at[i];

		if (!(*score_edge_map_find(&graph->edges, (uint64_t)from << 32 | node) & kind))
			continue;
		str_printf(out, "%s%u", comma, from);
		comma = ",";
	}
	str_add_char(out, ']');
}

struct hence_error *eval_print_graph(const char *program, FILE *file)
{
	struct score_graph graph = {0};
	struct hence_error *error;
	void *models;
	size_t size;

	error = outside_table_load(installed_models_folder(), NULL, 0, &models, &size);
	if (error)
		return error;
	error = pdg_read(program, models, &graph);
	free(models);
	if (error)
		return error;
	fputs("{\"nodes\":[", file);
	for (uint32_t i = 0; i < graph.nodes.size; i++) {
		struct str out GUARD(str_deinit) = STR_INIT;

		str_add(&out, i ? ",\n{" : "\n{");
		json_add_member(&out, "file", graph.nodes.at[i].file);
		json_add_number(&out, "line", graph.nodes.at[i].line);
		add_before(&graph, i, "data", SCORE_DATA, &out);
		add_before(&graph, i, "control", SCORE_CONTROL, &out);
		str_add_char(&out, '}');
		fputs(str_text(&out), file);
	}
	fputs("]}\n", file);
	score_graph_deinit(&graph);
	return NULL;
}

/* What is not as it should be is left out: the graph may come from a child that went wrong. */
static void read_edges(struct score_graph *graph, uint32_t node, const json_t *list,
                       enum score_edge kind)
{
	const json_t *from;
	size_t i;

	json_array_foreach(list, i, from) if (json_is_integer(from) &&
	                                      json_integer_value(from) >= 0 &&
	                                      json_integer_value(from) < graph->nodes.size)
		score_graph_edge(graph, (uint32_t)json_integer_value(from), node, kind);
}

static void read_graph(const json_t *json, struct score_graph *out)
{
	const json_t *nodes = json_object_get(json, "nodes"), *node;
	size_t i;

	*out = (struct score_graph){0};
	json_array_foreach(nodes, i, node)
	{
		const char *file = json_string_value(json_object_get(node, "file"));
		json_int_t line = json_integer_value(json_object_get(node, "line"));

		score_graph_node(out, file ? file : "", (unsigned)line);
	}
	json_array_foreach(nodes, i, node)
	{
		if (i >= out->nodes.size)
			break;
		read_edges(out, (uint32_t)i, json_object_get(node, "data"), SCORE_DATA);
		read_edges(out, (uint32_t)i, json_object_get(node, "control"), SCORE_CONTROL);
	}
}

/* --- what is blamed --- */

static bool same_text(const json_t *a, const json_t *b)
{
	return json_is_string(a) && json_is_string(b) &&
	       !strcmp(json_string_value(a), json_string_value(b));
}

static const char *skip_address(const char *text)
{
	size_t digits = strncmp(text, "0x", 2) ? 0 : strspn(text + 2, "0123456789abcdef");

	return digits >= LEAST_ADDRESS ? text + 2 + digits : text;
}

/* Two programs have their memory at different addresses: these do not count. */
static bool same_deed(const json_t *a, const json_t *b)
{
	const char *one = json_string_value(a), *two = json_string_value(b);

	if (!one || !two)
		return false;
	while (*one && *two) {
		const char *next = skip_address(one), *other = skip_address(two);

		if (next != one && other != two) {
			one = next;
			two = other;
		} else if (*one++ != *two++) {
			return false;
		}
	}
	return !*one && !*two;
}

/* Did the statement do something else in the corrected program, or not at all? Both runs have the same input, so what it did is
   wrong then. */
static bool is_infected(const json_t *cause, const json_t *dual)
{
	const json_t *list = json_object_get(dual, "dual_slice"), *point;
	size_t i;

	json_array_foreach(list, i, point)
	{
		const json_t *own = json_object_get(json_object_get(point, "failing"), "text");
		const json_t *other = json_object_get(json_object_get(point, "reference"), "text");

		if (json_equal(json_object_get(point, "line"), json_object_get(cause, "line")) &&
		    same_text(json_object_get(point, "file"), json_object_get(cause, "file")) &&
		    same_text(own, json_object_get(cause, "statement")) && !same_deed(own, other))
			return true;
	}
	return false;
}

static uint32_t blame(struct score_set *set, const struct score_graph *graph, const json_t *cause)
{
	const char *file = json_string_value(json_object_get(cause, "file"));
	json_int_t line = json_integer_value(json_object_get(cause, "line"));

	return file && line > 0 ? score_set_add_place(set, graph, file, (unsigned)line, 0) : 0;
}

/* The lines of all transitions; and of the first one whose new value is wrong, if there is one. */
static void blame_transitions(const struct score_graph *graph, const json_t *report,
                              const json_t *dual, struct score_set *blamed,
                              struct score_set *infected)
{
	const json_t *steps = json_object_get(report, "steps"), *step, *cause;
	size_t i;

	json_array_foreach(steps, i, step)
	{
		cause = json_object_get(step, "cause");
		if (!cause || !json_is_true(json_object_get(step, "transition")))
			continue;
		blame(blamed, graph, cause);
		if (!infected->size && is_infected(cause, dual))
			blame(infected, graph, cause);
	}
}

static json_t *score_json(const struct score_graph *graph, const struct score_set *from,
                          const struct score_set *faulty, enum score_strategy strategy)
{
	struct score score = score_search(graph, from, faulty, strategy);
	json_t *out = json_object();

	json_object_set_new(out, "reached", json_boolean(score.reached));
	if (score.reached)
		json_object_set_new(out, "distance", json_integer(score.distance));
	json_object_set_new(out, "examined", json_integer(score.examined));
	json_object_set_new(out, "score", json_real(score.value));
	return out;
}

json_t *eval_score(const struct eval_case *c, const json_t *json, const json_t *transitions,
                   const json_t *dual)
{
	struct score_graph graph;
	struct score_set blamed, infected, faulty;
	json_t *out = json_object();

	read_graph(json, &graph);
	score_set_init(&blamed, &graph);
	score_set_init(&infected, &graph);
	score_set_init(&faulty, &graph);
	for (uint32_t i = 0; i < c->faults.size; i++)
		for (uint32_t k = 0; k < c->faults.at[i].places.size; k++)
			score_set_add_place(&faulty, &graph, c->faults.at[i].places.at[k].file,
			                    c->faults.at[i].places.at[k].line,
			                    c->faults.at[i].near);
	blame_transitions(&graph, transitions, dual, &blamed, &infected);
	json_object_set_new(out, "blamed", json_integer(blamed.size));
	json_object_set_new(out, "faulty", json_integer(faulty.size));
	json_object_set_new(out, "infected_known", json_boolean(dual != NULL));
	for (enum score_strategy s = 0; s < SCORE_STRATEGIES; s++) {
		const struct score_set *from = s == SCORE_INFECTED ? &infected : &blamed;

		if (from->size)
			json_object_set_new(out, score_strategy_names[s],
			                    score_json(&graph, from, &faulty, s));
	}
	score_set_deinit(&blamed);
	score_set_deinit(&infected);
	score_set_deinit(&faulty);
	score_graph_deinit(&graph);
	return out;
}
