/*
 * Z3 at work: within its budget of steps, and until a thread that asks every tenth of a second says stop. Errors of Z3
 * are noted and make a question unknown; they must not end the process.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "solve/solver_work.h"

#define RENEW_AFTER 300000 /* nodes in a context */

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void ignore_error(Z3_context z3, Z3_error_code code)
{
}

static void renew_context(struct solver *solver)
{
	Z3_config config;

	if (solver->z3 && solver->made < RENEW_AFTER)
		return;
	if (solver->z3)
		Z3_del_context(solver->z3);
	config = Z3_mk_config();
	Z3_set_param_value(config, "model", "true");
	solver->z3 = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(solver->z3, ignore_error);
	solver->made = 0;
}

static void make_solver(struct solver_session *s, bool floats)
{
	Z3_context z3 = s->solver->z3;
	uint32_t steps = s->solver->options.steps;
	Z3_params params = Z3_mk_params(z3);

	Z3_params_inc_ref(z3, params); /* before anything else is made */
	s->z3 = Z3_mk_simple_solver(z3);
	Z3_solver_inc_ref(z3, s->z3);
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
	                   floats ? 1 + steps / 4 : steps); /* they take longer */
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), 0);
	Z3_solver_set_params(z3, s->z3, params);
	Z3_params_dec_ref(z3, params);
}

static void add_term(struct solver_session *s, term t)
{
	Z3_context z3 = s->solver->z3;
	Z3_ast selector = Z3_mk_fresh_const(z3, "use", Z3_mk_bool_sort(z3));
	Z3_ast truth = solver_translate(s, t);

	*vec_push(&s->selectors) = selector;
	if (truth)
		Z3_solver_assert(z3, s->z3, Z3_mk_implies(z3, selector, truth));
}

bool solver_open(struct solver *solver, const term *all, uint32_t count,
                 const struct solver_variables *survey, struct solver_session *out)
{
	struct solver_session s = {.solver = solver};
	uint32_t terms = terms_count(solver->terms) + 1;
	double begin = seconds_now();

	renew_context(solver);
	if (!solver->z3)
		return false;
	make_solver(&s, survey->floats > 0);
	s.of.at = mem_alloc(terms * sizeof(*s.of.at));
	s.floats.at = mem_alloc(terms * sizeof(*s.floats.at));
	for (uint32_t i = 0; i < count; i++)
		add_term(&s, all[i]);
	solver->counts.seconds += seconds_now() - begin;
	if (s.broken) {
		solver_close(&s);
		return false;
	}
	*out = s;
	return true;
}

void solver_close(struct solver_session *s)
{
	Z3_solver_dec_ref(s->solver->z3, s->z3);
	vec_deinit(&s->of);
	vec_deinit(&s->floats);
	vec_deinit(&s->selectors);
}

/* --- asking --- */

struct watch {
	struct solver *solver;
	double until;
	pthread_mutex_t lock;
	pthread_cond_t done_changed;
	bool done;
};

/* Waits a tenth of a second, or until Z3 is done. */
static bool wait_done(struct watch *watch)
{
	struct timespec until;
	bool done;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&watch->lock);
	while (!watch->done &&
	       pthread_cond_timedwait(&watch->done_changed, &watch->lock, &until) != ETIMEDOUT)
		;
	done = watch->done;
	pthread_mutex_unlock(&watch->lock);
	return done;
}

static void *watch_stop(void *argument)
{
	struct watch *watch = argument;
	struct solver *solver = watch->solver;

	while (!wait_done(watch)) {
		if (solver->options.stop && solver->options.stop(solver->options.context))
			solver->stopped = true;
		if (solver->stopped || seconds_now() > watch->until)
			Z3_interrupt(solver->z3);
	}
	return NULL;
}

static Z3_lbool check(struct solver_session *s, uint32_t count, const Z3_ast *assumptions)
{
	struct watch watch = {.solver = s->solver,
	                      .until = seconds_now() + s->solver->options.seconds / 10};
	Z3_lbool answer;
	pthread_t thread;
	bool watched;

	pthread_mutex_init(&watch.lock, NULL);
	pthread_cond_init(&watch.done_changed, NULL);
	watched = !pthread_create(&thread, NULL, watch_stop, &watch);
	answer = Z3_solver_check_assumptions(s->solver->z3, s->z3, count, assumptions);
	if (watched) {
		pthread_mutex_lock(&watch.lock);
		watch.done = true;
		pthread_cond_signal(&watch.done_changed);
		pthread_mutex_unlock(&watch.lock);
		pthread_join(thread, NULL);
	}
	pthread_cond_destroy(&watch.done_changed);
	pthread_mutex_destroy(&watch.lock);
	return Z3_get_error_code(s->solver->z3) == Z3_OK ? answer : Z3_L_UNDEF;
}

enum solver_answer solver_ask(struct solver_session *s, const bool *chosen)
{
	struct solver *solver = s->solver;
	VEC(Z3_ast) assumptions = VEC_INIT;
	double begin = seconds_now();
	Z3_lbool answer = Z3_L_UNDEF;

	for (uint32_t i = 0; i < s->selectors.size; i++)
		if (chosen[i])
			*vec_push(&assumptions) = s->selectors.at[i];
	solver->counts.calls++;
	if (!solver->stopped)
		answer = check(s, assumptions.size, assumptions.at);
	solver->counts.seconds += seconds_now() - begin;
	solver->stopped |= solver->counts.seconds > solver->options.seconds;
	solver->counts.unknown += answer == Z3_L_UNDEF;
	vec_deinit(&assumptions);
	return answer == Z3_L_FALSE  ? SOLVER_UNSATISFIABLE
	       : answer == Z3_L_TRUE ? SOLVER_SATISFIABLE
	                             : SOLVER_UNKNOWN;
}

/* --- the model --- */

static bool read_value(Z3_context z3, Z3_ast value, uint64_t *out)
{
	Z3_lbool truth;

	if (!value)
		return false;
	truth = Z3_get_bool_value(z3, value);
	if (truth != Z3_L_UNDEF) {
		*out = truth == Z3_L_TRUE;
		return true;
	}
	return Z3_get_ast_kind(z3, value) == Z3_NUMERAL_AST &&
	       Z3_get_numeral_uint64(z3, value, out);
}

void solver_keep_model(struct solver_session *s, const struct solver_variables *survey)
{
	Z3_context z3 = s->solver->z3;
	Z3_model model = Z3_solver_get_model(z3, s->z3);
	uint64_t value;

	solver_values_deinit(&s->solver->values);
	if (!model)
		return;
	Z3_model_inc_ref(z3, model);
	for (uint32_t i = 0; i < survey->all.size; i++) {
		const struct solver_variable *v = &survey->all.at[i];
		term t = term_variable(s->solver->terms, v->bits, v->number);
		Z3_func_decl decl = Z3_get_app_decl(z3, Z3_to_app(z3, s->of.at[t]));

		if (read_value(z3, Z3_model_get_const_interp(z3, model, decl), &value))
			*solver_values_put(&s->solver->values, v->number) = value;
	}
	Z3_model_dec_ref(z3, model);
}
