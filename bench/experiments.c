/*
 * Experiments per second (src/experiment), one at a time: a variable is changed at a point and the
 * run goes on to its end. Against it, in turns, the plain program started anew with posix_spawn().
 *
 *	experiments SECONDS HENCE-PROGRAM [PLAIN-PROGRAM]
 *
 * With a plain program: at the point in the middle; prints EXPERIMENTS EXECUTED per second. Without:
 * at an early and a late point; prints the statements of the run, then for both points: per second,
 * and the milliseconds of the first experiment there, which makes the snapshot; then the branches of the
 * run, and at the early point, with all of them on rails: per second. The program prints total=ADDRESS of
 * an int.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "experiment/experiment.h"
#include "run/session.h"

#define ROUNDS 8

static struct input input;
static struct session session;
static struct experiments *pool;
static struct recording run;
static struct trial_result recorded;
static bool on_rails;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "bench/experiments: %s\n", error->message);
	exit(1);
}

static void prepare(const char *program)
{
	static struct experiments_options options;
	struct session_options limits = {.tape_limit = 1ull << 30};

	options.trials = (struct trials_options){
		.program = program, .name = program, .input = &input, .workers = 1};
	must(session_create(&limits, &session));
	must(experiments_create(&options, &pool));
	must(experiments_record(pool, session.path, &recorded));
	run = (struct recording){.modules = modules_create(), .folder = session.path};
	must(experiments_use(pool, &run));
}

static uint64_t count_statements(void)
{
	struct walk *walk;
	uint64_t count;

	must(walk_create(run.modules, run.folder, 0, &walk));
	must(walk_to_end(walk, NULL));
	count = walk_counts(walk)->statements;
	walk_destroy(walk);
	return count;
}

static struct point point_at(uint64_t time)
{
	struct point point;

	must(points_find(&run, &time, 1, &point));
	return point;
}

/* Sets total to 7. */
static void experiment(const struct point *point)
{
	static const int value = 7;
	const char *at = strstr(str_text(&recorded.output), "total=");
	struct change change = {.address = at ? strtoull(at + 6, NULL, 16) : 0,
	                        .size = sizeof(value),
	                        .bytes = (const uint8_t *)&value};
	struct stop stop = {
		.site = point->site, .count = point->count, .changes = &change, .change_count = 1};
	struct experiment experiment = {
		.time = point->time, .stops = &stop, .stop_count = 1, .on_rails = on_rails};
	struct experiment_result result;

	must(experiments_run(pool, &experiment, &result));
	if (result.diverged || result.unreadable || result.off_rails ||
	    result.run.outcome.kind != OUTCOME_EXITED)
		must(error_create(HENCE_ERROR_INTERNAL, "an experiment went wrong"));
	experiment_result_deinit(&result);
}

static double rate(const struct point *point, double seconds)
{
	double begin = now(), spent;
	uint32_t count = 0;

	do {
		experiment(point);
		count++;
		spent = now() - begin;
	} while (spent < seconds);
	return count / spent;
}

static double executed(const char *program, double seconds)
{
	posix_spawn_file_actions_t actions;
	char *argv[] = {(char *)program, NULL};
	double begin = now(), spent;
	uint32_t count = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	do {
		pid_t pid;

		if (posix_spawn(&pid, program, &actions, NULL, argv, environ))
			must(error_create(HENCE_ERROR_INTERNAL, "cannot run %s", program));
		waitpid(pid, NULL, 0);
		count++;
		spent = now() - begin;
	} while (spent < seconds);
	posix_spawn_file_actions_destroy(&actions);
	return count / spent;
}

static void compare(const char *plain, double seconds)
{
	struct point middle = point_at(count_statements() / 2);
	double best[2] = {0, 0};

	for (int i = 0; i < ROUNDS; i++) {
		double rates[2] = {rate(&middle, seconds / ROUNDS / 2),
		                   executed(plain, seconds / ROUNDS / 2)};

		for (int k = 0; k < 2; k++)
			best[k] = rates[k] > best[k] ? rates[k] : best[k];
	}
	printf("%.0f %.0f\n", best[0], best[1]);
}

/* Every branch from that point on goes as it went. */
static uint32_t lay_rails(uint64_t from)
{
	struct point_branches branches;
	VEC(struct rail) rails = VEC_INIT;
	uint32_t count;

	must(points_branches(&run, UINT64_MAX, &branches));
	for (uint32_t i = 0; i < branches.all.size; i++)
		if (branches.all.at[i].time >= from)
			*vec_push(&rails) = (struct rail){.site = branches.all.at[i].site,
			                                  .way = branches.all.at[i].way};
	must(experiments_set_rails(pool, rails.at, rails.size));
	count = rails.size;
	point_branches_deinit(&branches);
	vec_deinit(&rails);
	return count;
}

static void far_points(double seconds)
{
	uint64_t all = count_statements();
	struct point points[2] = {point_at(all / 1000), point_at(all - all / 1000)};

	printf("%llu", (unsigned long long)all);
	for (int i = 0; i < 2; i++) {
		double begin = now(), first;

		experiment(&points[i]);
		first = now() - begin;
		printf(" %.1f %.0f", rate(&points[i], seconds / 2), first * 1000);
	}
	on_rails = true;
	printf(" %u", lay_rails(points[0].time));
	experiment(&points[0]);
	printf(" %.1f\n", rate(&points[0], seconds / 2));
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	prepare(argv[2]);
	if (argc > 3)
		compare(argv[3], atof(argv[1]));
	else
		far_points(atof(argv[1]));
	experiments_destroy(pool);
	trial_result_deinit(&recorded);
	modules_destroy(run.modules);
	session_destroy(&session);
	return 0;
}
