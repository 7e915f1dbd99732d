/* Scores over the program dependence graph (M2), and the graph as JSON: see eval.h. */
#include <stdlib.h>
#include <string.h>

#include "base/installed.h"
#include "base/guard.h"
#include "cli/commands.h"
#include "research/eval.h"
#include "outside/table.h"
#include "report/json.h"
#include "research/pdg.h"

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
