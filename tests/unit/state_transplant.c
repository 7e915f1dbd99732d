/*
 * Transplants in the real program: when all differences between two runs at a point are given to the other
 * run by an experiment, the rest of it prints what the first run prints. For many aligned points of each
 * program in tests/state, in both directions. Only where a value that differs is in no variable, as
 * state_diff_hidden() says, it need not be so.
 */
#include "state_programs.h"

/* One of the two runs. */
struct side {
	struct input input;
	struct experiments_options options;
	struct experiments *pool;
	struct trial_result recorded;
	struct run run;
	struct point point;
	struct state *state;
	char *rest; /* of what it prints from the point on */
};

struct sides {
	struct modules *modules;
	struct side at[2];
	struct alignment alignment;
};

static void add_arguments(struct input *input, const char *arguments)
{
	char *words = mem_strdup(arguments);

	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		input_add_bytes(input, INPUT_ARGUMENT, NULL, word, strlen(word));
	free(words);
}

static void begin(struct sides *s, uint32_t number, const char *source)
{
	struct side *side = &s->at[number];
	char *arguments = programs_arguments(source, number);

	add_arguments(&side->input, arguments);
	free(arguments);
	side->options.trials.program = side->options.trials.name = "./prog";
	side->options.trials.input = &side->input;
	side->options.trials.workers = 1;
	runs_must(experiments_create(&side->options, &side->pool));
	runs_must(experiments_record(side->pool, decoded_session.path, &side->recorded));
	side->run.source = (struct decoded){.source = source, .modules = s->modules};
	side->run.folder = decoded_session.path;
	side->run.recording = (struct recording){.modules = s->modules,
	                                         .folder = decoded_session.path,
	                                         .tape = number,
	                                         .table = decoded_models};
	runs_must(experiments_use(side->pool, &side->run.recording));
}

static void end(struct sides *s)
{
	for (uint32_t i = 0; i < 2; i++) {
		experiments_destroy(s->at[i].pool);
		trial_result_deinit(&s->at[i].recorded);
		input_deinit(&s->at[i].input);
	}
	alignment_deinit(&s->alignment);
	modules_destroy(s->modules);
	decoded_end();
}

/* --- a point --- */

static struct experiment_result run(struct side *side, const struct stop *what)
{
	struct stop stop = *what;
	struct experiment experiment = {.time = side->point.time, .stops = &stop, .stop_count = 1};
	struct experiment_result result;

	stop.site = side->point.site;
	stop.count = side->point.count;
	runs_must(experiments_run(side->pool, &experiment, &result));
	assert_false(result.diverged);
	assert_false(result.unreadable);
	assert_true(result.stops.at[0].reached);
	return result;
}

static const char *rest_of(const struct experiment_result *result)
{
	uint64_t printed = result->stops.at[0].printed;

	assert_true(printed <= result->run.output.length);
	return str_text(&result->run.output) + printed;
}

static void find_rest(struct side *side)
{
	struct experiment_result result = run(side, &(struct stop){0});

	assert_string_equal(str_text(&result.run.output), str_text(&side->recorded.output));
	side->rest = mem_strdup(rest_of(&result));
	experiment_result_deinit(&result);
}

/* What only the program itself can tell. */
static void ask(struct sides *s, bool second)
{
	struct side *side = &s->at[second];
	struct experiment_result result;
	struct stop stop = {0};

	stop.readings = states_unknown(s->at[0].state, s->at[1].state, &s->alignment, second,
	                               &stop.reading_count);
	if (!stop.reading_count)
		return;
	result = run(side, &stop);
	state_know(side->state, (const uint8_t *)result.stops.at[0].bytes.text);
	experiment_result_deinit(&result);
}

static void transplant(struct sides *s, struct state_diff *diff, const char *name, bool back)
{
	struct side *from = &s->at[back], *to = &s->at[!back];
	struct experiment_result result;
	struct stop stop = {0};
	uint32_t count, *all;

	state_diff_all(diff, &count);
	all = mem_alloc((count + 1) * sizeof(*all));
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	stop.changes = state_diff_changes(diff, all, count, back, &stop.change_count);
	result = run(to, &stop);
	if (strcmp(rest_of(&result), from->rest))
		fail_msg("%s at %llu, %s: prints\n%s, not\n%s", name,
		         (unsigned long long)s->at[0].point.time, back ? "back" : "forth",
		         rest_of(&result), from->rest);
	experiment_result_deinit(&result);
	free(all);
}

/* Was it shown? */
static bool check_point(struct sides *s, const char *name)
{
	struct state_diff *diff;
	bool open;

	for (uint32_t i = 0; i < 2; i++)
		find_rest(&s->at[i]);
	ask(s, false);
	ask(s, true);
	diff = states_compare(s->at[0].state, s->at[1].state, &s->alignment);
	open = !state_diff_hidden(diff);
	for (int back = 0; open && back < 2; back++)
		transplant(s, diff, name, back);
	state_diff_destroy(diff);
	for (uint32_t i = 0; i < 2; i++) {
		state_destroy(s->at[i].state);
		free(s->at[i].rest);
	}
	return open;
}

#define MOST 60u /* points of a program */

struct times {
	uint64_t at[2][MOST + 1];
	uint32_t count;
};

static struct times choose(const struct alignment *alignment)
{
	struct times t = {.count = 0};
	uint64_t all = 0, number = 0;

	for (uint32_t i = 0; i < alignment->spans.size; i++)
		all += alignment->spans.at[i].count;
	for (uint32_t i = 0; i < alignment->spans.size; i++)
		for (uint64_t k = 0; k < alignment->spans.at[i].count; k++)
			if (number++ % (all / MOST + 1) == 0) {
				t.at[0][t.count] = alignment->spans.at[i].a + k;
				t.at[1][t.count++] = alignment->spans.at[i].b + k;
			}
	return t;
}

static void check_points(struct sides *s, const char *name)
{
	struct times t = choose(&s->alignment);
	struct state *states[2][MOST + 1];
	struct point points[2][MOST + 1];
	uint32_t shown = 0;

	for (uint32_t i = 0; i < 2; i++) {
		const struct recording *run = &s->at[i].run.recording;

		runs_must(states_take(run, t.at[i], t.count, NULL, runs_keep, states[i]));
		runs_must(points_find(run, t.at[i], t.count, points[i]));
	}
	for (uint32_t k = 0; k < t.count; k++) {
		for (uint32_t i = 0; i < 2; i++) {
			s->at[i].state = states[i][k];
			s->at[i].point = points[i][k];
		}
		shown += check_point(s, name);
	}
	assert_true(2 * shown > t.count);
}

static void check(const char *name, const char *source)
{
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};
	struct sides s = {.modules = modules_create()};

	decoded_build(source);
	decoded_end();
	runs_must(session_create(&options, &decoded_session));
	begin(&s, 0, source);
	begin(&s, 1, source);
	/* Else nothing is shown. */
	assert_string_not_equal(str_text(&s.at[0].recorded.output),
	                        str_text(&s.at[1].recorded.output));
	runs_must(align_runs(&s.at[0].run.recording, &s.at[1].run.recording, NULL, &s.alignment));
	check_points(&s, name);
	end(&s);
}

static void test_programs(void **state)
{
	programs_each(check);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
