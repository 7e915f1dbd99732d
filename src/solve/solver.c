/* Questions: constants, guesses, then Z3; and minimal cores. */
#include "solve/solver.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "solve/solver_work.h"
#include "solve/term_work.h"

/* ------ a question as a file for any SMT solver ------ */

/* One definition a line, so that lines can be left out. */

void solver_print(const struct solver *solver, const term *all, uint32_t count, struct str *out)
{
	struct term_order order;
	bool floats = false;

	term_order_make(solver->terms, all, count, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++)
		floats |= term_is_float_op(term_at(solver->terms, order.nodes.at[i])->op);
	str_printf(out, "(set-logic %s)\n", floats ? "QF_BVFP" : "QF_BV");
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		/* Bits of a float are a constant that has its value: there is no standard function that gives them. */
		const struct terms *terms = solver->terms;
		term t = order.nodes.at[i];
		const struct term_node *n = term_at(terms, t);
		bool is_float = term_gives_float(n->op);

		if (n->op == TERM_CONSTANT)
			continue;
		str_add(out,
		        n->op == TERM_VARIABLE || is_float ? "(declare-const " : "(define-fun ");
		term_print_name(terms, t, out);
		str_printf(out, "%s (_ BitVec %u)", n->op == TERM_VARIABLE || is_float ? "" : " ()",
		           n->bits);
		if (n->op == TERM_VARIABLE || is_float) {
			str_add(out, ")\n");
		} else {
			str_add_char(out, ' ');
			term_print_operation(terms, t, false, out);
			str_add(out, ")\n");
		}
		if (!is_float)
			continue;
		str_add(out, "(assert (= ");
		term_print_float(terms, t, out);
		str_add_char(out, ' ');
		term_print_operation(terms, t, false, out);
		str_add(out, "))\n");
	}
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, "(assert (! (= ");
		term_print_name(solver->terms, all[i], out);
		str_printf(out, " #b1) :named a%u))\n", i);
	}
	str_add(out, "(check-sat)\n");
	term_order_deinit(&order);
}

/* ------ terms in Z3's words ------ */

/*
 * What has one bit is truth there, since that is what Z3 decides on; where a bit is computed with, it is made a
 * vector. A floating-point operation is one on Z3's floats; where its bits are needed they are a new constant of
 * which it is said that it has this value, since Z3 knows only one NaN.
 */

static Z3_context context_of(const struct solver_session *s)
{
	return s->solver->z3;
}

static const struct term_node *node_of(const struct solver_session *s, term t)
{
	return term_at(s->solver->terms, t);
}

static Z3_ast number(const struct solver_session *s, uint32_t bits, uint64_t value)
{
	Z3_context z3 = context_of(s);

	return Z3_mk_unsigned_int64(z3, value, Z3_mk_bv_sort(z3, bits));
}

/* As a vector of bits. */
static Z3_ast bits_of(const struct solver_session *s, term t)
{
	Z3_ast z = s->of.at[t];

	if (node_of(s, t)->bits != 1)
		return z;
	return Z3_mk_ite(context_of(s), z, number(s, 1, 1), number(s, 1, 0));
}

static Z3_sort float_sort(const struct solver_session *s, uint32_t bits)
{
	return bits == 32 ? Z3_mk_fpa_sort_32(context_of(s)) : Z3_mk_fpa_sort_64(context_of(s));
}

static Z3_ast float_of(struct solver_session *s, term t)
{
	if (!s->floats.at[t])
		s->floats.at[t] = Z3_mk_fpa_to_fp_bv(context_of(s), s->of.at[t],
		                                     float_sort(s, node_of(s, t)->bits));
	return s->floats.at[t];
}

/* --- operations --- */

static Z3_ast translate_truth(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast both[2] = {s->of.at[n->a], s->of.at[n->b]};

	switch (n->op) {
	case TERM_AND: return Z3_mk_and(z3, 2, both);
	case TERM_OR: return Z3_mk_or(z3, 2, both);
	default: return Z3_mk_xor(z3, both[0], both[1]);
	}
}

static Z3_ast translate_two(struct solver_session *s, const struct term_node *n)
{
	typedef Z3_ast binary(Z3_context, Z3_ast, Z3_ast);
	static binary *const makers[TERM_OPS] = {
		[TERM_ADD] = Z3_mk_bvadd,   [TERM_SUB] = Z3_mk_bvsub,
		[TERM_MUL] = Z3_mk_bvmul,   [TERM_UDIV] = Z3_mk_bvudiv,
		[TERM_SDIV] = Z3_mk_bvsdiv, [TERM_UREM] = Z3_mk_bvurem,
		[TERM_SREM] = Z3_mk_bvsrem, [TERM_AND] = Z3_mk_bvand,
		[TERM_OR] = Z3_mk_bvor,     [TERM_XOR] = Z3_mk_bvxor,
		[TERM_SHL] = Z3_mk_bvshl,   [TERM_LSHR] = Z3_mk_bvlshr,
		[TERM_ASHR] = Z3_mk_bvashr, [TERM_CONCAT] = Z3_mk_concat,
		[TERM_EQ] = Z3_mk_eq,       [TERM_ULT] = Z3_mk_bvult,
		[TERM_ULE] = Z3_mk_bvule,   [TERM_SLT] = Z3_mk_bvslt,
		[TERM_SLE] = Z3_mk_bvsle,
	};

	return makers[n->op](context_of(s), bits_of(s, n->a), bits_of(s, n->b));
}

static Z3_ast translate_compare(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast a = float_of(s, n->a);

	switch (n->op) {
	case TERM_FEQ: return Z3_mk_fpa_eq(z3, a, float_of(s, n->b));
	case TERM_FLT: return Z3_mk_fpa_lt(z3, a, float_of(s, n->b));
	case TERM_FLE: return Z3_mk_fpa_leq(z3, a, float_of(s, n->b));
	default: return Z3_mk_fpa_is_nan(z3, a);
	}
}

static Z3_ast translate_float(struct solver_session *s, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast nearest = Z3_mk_fpa_rne(z3);
	Z3_sort sort = float_sort(s, n->bits);

	switch (n->op) {
	case TERM_FADD: return Z3_mk_fpa_add(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FSUB: return Z3_mk_fpa_sub(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FMUL: return Z3_mk_fpa_mul(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FDIV: return Z3_mk_fpa_div(z3, nearest, float_of(s, n->a), float_of(s, n->b));
	case TERM_FSQRT: return Z3_mk_fpa_sqrt(z3, nearest, float_of(s, n->a));
	case TERM_FROM_SIGNED: return Z3_mk_fpa_to_fp_signed(z3, nearest, bits_of(s, n->a), sort);
	case TERM_FROM_UNSIGNED:
		return Z3_mk_fpa_to_fp_unsigned(z3, nearest, bits_of(s, n->a), sort);
	default: return Z3_mk_fpa_to_fp_float(z3, nearest, float_of(s, n->a), sort);
	}
}

/* Bits that have the value of a float. */
static Z3_ast bits_with_value(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_ast bits = Z3_mk_fresh_const(z3, "bits", Z3_mk_bv_sort(z3, n->bits));
	Z3_ast value = Z3_mk_fpa_to_fp_bv(z3, bits, float_sort(s, n->bits));

	s->floats.at[t] = translate_float(s, n);
	Z3_solver_assert(z3, s->z3, Z3_mk_eq(z3, value, s->floats.at[t]));
	return bits;
}

/* As a vector, whatever the width. */
static Z3_ast translate_bits(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	uint32_t more = n->bits - node_of(s, n->a)->bits;

	if (term_gives_float(n->op))
		return bits_with_value(s, t, n);
	switch (n->op) {
	case TERM_ZEXT: return Z3_mk_zero_ext(z3, more, bits_of(s, n->a));
	case TERM_SEXT: return Z3_mk_sign_ext(z3, more, bits_of(s, n->a));
	case TERM_EXTRACT:
		return Z3_mk_extract(z3, n->low + n->bits - 1u, n->low, bits_of(s, n->a));
	case TERM_TO_SIGNED:
		return Z3_mk_fpa_to_sbv(z3, Z3_mk_fpa_rtz(z3), float_of(s, n->a), n->bits);
	case TERM_TO_UNSIGNED:
		return Z3_mk_fpa_to_ubv(z3, Z3_mk_fpa_rtz(z3), float_of(s, n->a), n->bits);
	default: return translate_two(s, n);
	}
}

static Z3_ast translate_leaf(struct solver_session *s, term t, const struct term_node *n)
{
	Z3_context z3 = context_of(s);
	Z3_sort sort = n->bits == 1 ? Z3_mk_bool_sort(z3) : Z3_mk_bv_sort(z3, n->bits);

	if (n->op == TERM_VARIABLE)
		return Z3_mk_const(z3, Z3_mk_int_symbol(z3, (int)t), sort);
	if (n->bits == 1)
		return n->value ? Z3_mk_true(z3) : Z3_mk_false(z3);
	return number(s, n->bits, n->value);
}

static Z3_ast translate_node(struct solver_session *s, term t)
{
	const struct term_node *n = node_of(s, t);
	Z3_context z3 = context_of(s);

	if (n->op <= TERM_VARIABLE)
		return translate_leaf(s, t, n);
	if (n->op == TERM_CHOICE)
		return Z3_mk_ite(z3, s->of.at[n->a], s->of.at[n->b], s->of.at[n->c]);
	if (n->bits != 1)
		return translate_bits(s, t, n);
	if (n->op >= TERM_FEQ && n->op <= TERM_FNAN)
		return translate_compare(s, n);
	if (n->op >= TERM_EQ && n->op <= TERM_SLE)
		return translate_two(s, n);
	if (n->op >= TERM_AND && n->op <= TERM_XOR)
		return translate_truth(s, n);
	return Z3_mk_eq(z3, translate_bits(s, t, n), number(s, 1, 1));
}

Z3_ast solver_translate(struct solver_session *s, term root)
{
	struct term_order order;

	term_order_make(s->solver->terms, &root, 1, &order);
	for (uint32_t i = 0; i < order.nodes.size && !s->broken; i++) {
		term t = order.nodes.at[i];

		if (s->of.at[t])
			continue;
		s->of.at[t] = translate_node(s, t);
		s->solver->made++;
		s->broken = Z3_get_error_code(context_of(s)) != Z3_OK;
	}
	term_order_deinit(&order);
	return s->broken ? NULL : s->of.at[root];
}

/* ------ Z3 at work ------ */

/*
 * Within its budget of steps, and until a thread that asks every tenth of a second says stop. Errors of Z3 are
 * noted and make a question unknown; they must not end the process.
 */

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

	Z3_config config;

	if (!solver->z3 || solver->made >= RENEW_AFTER) {
		if (solver->z3)
			Z3_del_context(solver->z3);
		config = Z3_mk_config();
		Z3_set_param_value(config, "model", "true");
		solver->z3 = Z3_mk_context(config);
		Z3_del_config(config);
		Z3_set_error_handler(solver->z3, ignore_error);
		solver->made = 0;
	}
	if (!solver->z3)
		return false;
	Z3_context z3 = s.solver->z3;
	uint32_t steps = s.solver->options.steps;
	Z3_params params = Z3_mk_params(z3);

	Z3_params_inc_ref(z3, params); /* before anything else is made */
	s.z3 = Z3_mk_simple_solver(z3);
	Z3_solver_inc_ref(z3, s.z3);
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
	                   (survey->floats > 0) ? 1 + steps / 4 : steps); /* they take longer */
	Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), 0);
	Z3_solver_set_params(z3, s.z3, params);
	Z3_params_dec_ref(z3, params);
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

/* ------ the whole ------ */

#define MOST_HARD     64
#define USUAL_STEPS   1000000
#define USUAL_FLOATS  8
#define USUAL_SECONDS 20
#define USUAL_SIZE    200000

struct solver *solver_create(struct terms *terms, const struct solver_options *options)
{
	struct solver *solver = mem_alloc(sizeof(*solver));

	solver->terms = terms;
	if (options)
		solver->options = *options;
	if (!solver->options.steps)
		solver->options.steps = USUAL_STEPS;
	if (!solver->options.floats)
		solver->options.floats = USUAL_FLOATS;
	if (!(solver->options.seconds > 0))
		solver->options.seconds = USUAL_SECONDS;
	if (!solver->options.size)
		solver->options.size = USUAL_SIZE;
	return solver;
}

void solver_destroy(struct solver *solver)
{
	if (!solver)
		return;
	if (solver->z3)
		Z3_del_context(solver->z3);
	solver_values_deinit(&solver->values);
	free(solver);
}

struct solver_counts solver_counts(const struct solver *solver)
{
	return solver->counts;
}

uint64_t solver_value(const struct solver *solver, term t)
{
	return term_evaluate(solver->terms, t, solver_assigned, (void *)solver);
}

/* --- one question --- */

static bool is_false(const struct solver *solver, const term *all, uint32_t count)
{
	uint64_t value;

	for (uint32_t i = 0; i < count; i++)
		if (term_is_constant(solver->terms, all[i], &value) && !value)
			return true;
	return false;
}

static bool is_too_large(const struct solver *solver, const struct solver_variables *survey)
{
	return survey->nodes > solver->options.size || survey->floats > solver->options.floats ||
	       survey->hard > MOST_HARD;
}

static enum solver_answer ask_z3(struct solver *solver, const term *all, uint32_t count,
                                 const struct solver_variables *survey)
{
	struct solver_session session;
	enum solver_answer answer;
	bool *chosen;

	if (is_too_large(solver, survey) || solver->stopped ||
	    !solver_open(solver, all, count, survey, &session)) {
		solver->counts.unknown++;
		return SOLVER_UNKNOWN;
	}
	chosen = mem_alloc(count + 1);
	memset(chosen, true, count);
	answer = solver_ask(&session, chosen);
	if (answer == SOLVER_SATISFIABLE)
		solver_keep_model(&session, survey);
	free(chosen);
	solver_close(&session);
	return answer;
}

enum solver_answer solver_check(struct solver *solver, const term *all, uint32_t count,
                                solver_guess *guess, void *context)
{
	struct solver_variables survey;
	enum solver_answer answer;

	if (is_false(solver, all, count)) {
		solver->counts.folded++;
		return SOLVER_UNSATISFIABLE;
	}
	solver->guess = guess;
	solver->guess_context = context;
	solver_survey(solver->terms, all, count, &survey);
	if (solver_try(solver, all, count)) {
		solver->counts.folded++;
		answer = SOLVER_SATISFIABLE;
	} else {
		answer = ask_z3(solver, all, count, &survey);
	}
	solver_survey_deinit(&survey);
	return answer;
}

/* --- cores --- */

struct minimising {
	struct solver_session *session;
	bool *core;   /* known to belong to it */
	bool *chosen; /* room for a question */
	uint32_t count;
	bool certain;
};

/* Do the core so far and the first `prefix` contradict each other? */
static bool contradicts(struct minimising *m, uint32_t prefix)
{
	enum solver_answer answer;

	for (uint32_t i = 0; i < m->count; i++)
		m->chosen[i] = m->core[i] || i < prefix;
	answer = solver_ask(m->session, m->chosen);
	m->certain &= answer != SOLVER_UNKNOWN;
	return answer == SOLVER_UNSATISFIABLE;
}

void solver_core(struct solver *solver, const term *all, uint32_t count, uint32_t kept, bool *core,
                 bool *certain)
{
	struct minimising m = {.core = core, .count = count, .certain = true};
	struct solver_session session;
	struct solver_variables survey;

	for (uint32_t i = 0; i < count; i++)
		core[i] = i < kept;
	*certain = true;
	if (is_false(solver, all, kept))
		return;
	solver_survey(solver->terms, all, count, &survey);
	if (is_too_large(solver, &survey) || !solver_open(solver, all, count, &survey, &session)) {
		memset(core, true, count);
		*certain = false;
		solver_survey_deinit(&survey);
		return;
	}
	m.session = &session;
	m.chosen = mem_alloc(count + 1);
	/*
	 * The shortest prefix that contradicts ends with a term that deletion from the last on would keep, as all after
	 * it can go; then the same with that term given. So each term of the core takes a bisection, and not all terms a question.
	 */
	uint32_t enough = m.count;

	while (enough && !contradicts(&m, 0)) {
		uint32_t few = 0;

		while (enough - few > 1) {
			uint32_t middle = few + (enough - few) / 2;

			if (contradicts(&m, middle))
				enough = middle;
			else
				few = middle;
		}
		m.core[--enough] = true;
	}
	*certain = m.certain;
	free(m.chosen);
	solver_close(&session);
	solver_survey_deinit(&survey);
}
