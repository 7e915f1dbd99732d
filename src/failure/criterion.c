/* What all criteria share: see criterion.h. */
#include "failure/criterion.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "failure/watch.h"

/* ------ what went wrong in a run ------ */

/* A run that had to be stopped is looked at until it has executed so many statements without one
   that is new: a loop without end is the same all the time, and what was recorded of it may take
   minutes to read. */
#define HANG_STATEMENTS 2000000u

/* An instance, and the instruction that it is of. */
struct event {
	uint32_t instance; /* 0: there was none */
	uint32_t code;
	char *callee; /* of a call of outside code */
};

struct failure_watch {
	struct watch watch;
	const struct outcome *outcome;
	struct watch_errors errors;
	struct event returned; /* from main() */
	struct event left;     /* a call that did not return */
	struct event last;     /* statement */
	VEC(uint8_t) known;    /* by instruction: it was the last of a statement; of a hang only */
	uint64_t fresh;        /* the last statement that was not known */
	uint64_t stop;         /* the statement with which a hang is cut, if that is known before */
	bool cut;              /* the rest of a hang was not looked at */
};

/* --- while it runs --- */

static struct event take_event(struct failure_watch *f)
{
	return (struct event){.instance = describe_instance(f->watch.e),
	                      .code = watch_code(&f->watch)};
}

/* Is the run in a loop without end? */
static bool goes_round(struct failure_watch *f)
{
	uint64_t number = execution_statements(f->watch.e);
	uint32_t code = f->last.code;

	if (f->watch.whole)
		return f->stop && number >= f->stop;
	while (f->known.size <= code)
		vec_push(&f->known);
	if (!f->known.at[code])
		f->fresh = number;
	f->known.at[code] = true;
	return number - f->fresh >= HANG_STATEMENTS;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The statement after which goes_round() of a run that is kept. 0: it does not. */
static uint64_t find_stop(const struct failure_watch *f)
{
	uint64_t end = execution_statements(f->watch.whole) + 1, stop = 0;
	uint32_t count;
	const uint64_t *firsts = history_firsts(f->watch.run, &count);
	uint64_t *sorted = mem_alloc((count + 1) * sizeof(*sorted));

	memcpy(sorted, firsts, count * sizeof(*sorted));
	sorted[count] = end;
	qsort(sorted, count, sizeof(*sorted), by_time);
	for (uint32_t i = 0; i < count && !stop; i++)
		if (sorted[i] && sorted[i + 1] - sorted[i] > HANG_STATEMENTS)
			stop = sorted[i] + HANG_STATEMENTS;
	free(sorted);
	return stop;
}

/* What finish() needs of a run that is kept. */
static void want(struct failure_watch *f)
{
	int64_t errors[] = {watch_errors_first(f->watch.whole, false),
	                    watch_errors_first(f->watch.whole, true)};

	if (f->outcome->kind == OUTCOME_TIMED_OUT)
		f->stop = find_stop(f);
	if (f->stop) {
		watch_want(&f->watch, f->stop);
		return;
	}
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i] >= 0)
			watch_want_error(&f->watch, (uint32_t)errors[i]);
	watch_want(&f->watch, history_left(f->watch.run));
	watch_want(&f->watch, history_returned(f->watch.run));
	watch_want_end(&f->watch);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct failure_watch *f = (struct failure_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	watch_errors_see(&f->errors, watch);
	f->last = take_event(f);
	if (event == EXECUTION_LEFT) {
		struct described described = {.unfinished = true};

		describe_statement(f->watch.names, f->watch.e, false, &described);
		free(f->left.callee);
		f->left = take_event(f);
		f->left.callee = described.callee ? mem_strdup(described.callee) : NULL;
		described_deinit(&described);
	}
	if (insn->op == CODE_RETURN && a->entered && !strcmp(a->function->plan->name, "main"))
		f->returned = f->last;
	if (f->outcome->kind == OUTCOME_TIMED_OUT && goes_round(f)) {
		f->cut = true;
		watch_halt(&f->watch);
	}
}

/* --- ends --- */

static void take_memory(struct failure_watch *f)
{
	int64_t index = watch_errors_first(f->watch.e, false);
	struct criterion *out = f->watch.out;
	uint32_t count;

	if (index < 0)
		return;
	out->kind = CRITERION_MEMORY;
	str_add(&out->what, "the first memory error");
	describe_error(f->errors.errors, (uint32_t)index, &out->why);
	watch_set_place(&f->watch, execution_errors(f->watch.e, &count)[index].code);
	watch_errors_add(&f->errors, &f->watch, (uint32_t)index);
}

static void take_place(struct failure_watch *f, const struct event *event, bool itself)
{
	watch_add(&f->watch,
	          &(struct slice_criterion){.instance = event->instance, .itself = itself});
	watch_mark(&f->watch, event->instance);
	watch_set_place(&f->watch, event->code);
}

/* Is the program still inside the call that did not return? */
static bool is_inside(const struct failure_watch *f)
{
	return f->left.instance && f->left.instance == f->last.instance;
}

/* Of a division the divisor. */
static uint32_t divisor_operand(const struct activation *a)
{
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	LLVMValueRef instruction = a->function->instructions[a->pc - 1];
	const struct code_eval *eval = insn->more;

	if (insn->op != CODE_EVAL || eval->count != 2 || !LLVMIsAInstruction(instruction))
		return CODE_NO_OPERAND;
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: return eval->in[1].operand;
	default: return CODE_NO_OPERAND;
	}
}

static bool is_unbegun(const struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);

	return a && !a->pc;
}

static bool is_overflow(const struct failure_watch *f)
{
	const char *detail = f->outcome->detail;

	return detail && !strncmp(detail, "stack overflow", strlen("stack overflow"));
}

/* The instruction that the program died of: it ended no statement. */
static void take_fault(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	uint32_t operand = watch_pointer_operand(insn);
	struct event event = {.instance = watch_dying(&f->watch, f->last.instance),
	                      .code = watch_code(&f->watch)};

	if (operand == CODE_NO_OPERAND)
		operand = divisor_operand(a);
	/* Of a call that could not be made the arguments do not matter. */
	take_place(f, &event, operand != CODE_NO_OPERAND || insn->op == CODE_CALL);
	watch_add_operand(&f->watch, a, operand);

	uint32_t count;
	const struct execution_error *errors = execution_errors(f->watch.e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind == ERROR_FAULT)
			describe_error(f->errors.errors, i, &f->watch.out->why);
	if (f->watch.out->why.length && is_overflow(f))
		str_printf(&f->watch.out->why, " (%s)", f->outcome->detail);
	if (!f->watch.out->why.length && f->outcome->detail)
		str_printf(&f->watch.out->why, "the program died: %s", f->outcome->detail);
}

/* The function on top died before its first instruction: what it needs on the stack did not fit. So
   the call counts, and why it was made. */
static void take_unbegun(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	const struct activation *caller = execution_top(f->watch.e, 1);
	struct criterion *out = f->watch.out;

	str_printf(&out->why, "the program died when it entered %s()", a->function->plan->name);
	if (f->outcome->detail)
		str_printf(&out->why, ": %s", f->outcome->detail);
	if (caller && caller->pc && !a->entered && caller->call >= EXECUTION_FIRST) {
		struct event event = {.instance = caller->call,
		                      .code = caller->function->first + caller->pc - 1};

		take_place(f, &event, true);
		return;
	}
	watch_set_place(&f->watch, a->function->first);
	watch_note(&f->watch, "no statement of the program led there");
}

static void take_call(struct failure_watch *f, const char *verb)
{
	take_place(f, &f->left, false);
	if (f->left.callee)
		str_printf(&f->watch.out->why, "the program %s in a call of %s()", verb,
		           f->left.callee);
}

static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	       number == SIGTRAP;
}

static void take_signal(struct failure_watch *f)
{
	struct criterion *out = f->watch.out;
	int number = f->outcome->signal;

	out->kind = number == SIGABRT ? CRITERION_ABORT : CRITERION_CRASH;
	if (f->outcome->assertion.text) {
		out->kind = CRITERION_ASSERT;
		str_printf(&out->what, "the failed assertion '%s'", f->outcome->assertion.text);
	} else {
		str_add(&out->what, outcome_signal_name(number));
	}
	/* Without debug information the decoder may not find where the program died. */
	if (is_inside(f) && is_fault(number) && f->left.callee && !strcmp(f->left.callee, "?")) {
		/* A call through a pointer that leads to no function: arguments do not matter. */
		const struct activation *a = execution_top(f->watch.e, 0);
		const struct code_insn *insn = &a->function->insns[a->pc - 1];
		const struct code_call *call = insn->more;

		take_place(f, &f->left, insn->op == CODE_CALL);
		if (insn->op == CODE_CALL)
			watch_add_operand(&f->watch, a, call->callee);
		str_add(&f->watch.out->why,
		        "the program died when it called a pointer that leads to no function");
	} else if (is_inside(f)) {
		take_call(f, out->kind == CRITERION_CRASH ? "died" : "was ended");
		if (out->kind == CRITERION_ASSERT)
			str_deinit(&out->why);
	} else if (is_fault(number) && is_unbegun(f)) {
		take_unbegun(f);
	} else if (is_fault(number) && execution_top(f->watch.e, 0) &&
	           (execution_died(f->watch.e) || f->outcome->place.line)) {
		take_fault(f);
	} else if (f->last.instance) {
		take_place(f, &f->last, false);
		out->line = out->column = 0;
		watch_note(&f->watch, "the place where it died is not known; this is the last "
		                      "statement that it executed");
	}
	watch_errors_add_earlier(&f->errors, &f->watch, false);
}

static void take_exit(struct failure_watch *f)
{
	struct criterion *out = f->watch.out;

	out->kind = CRITERION_EXIT;
	str_printf(&out->what, "exit status %d", f->outcome->status);
	/* A function that runs at exit may be the last; what main() returned is older then. */
	if (f->returned.instance && !(f->left.instance > f->returned.instance)) {
		take_place(f, &f->returned, false);
		str_add(&out->why, "main() returned it");
	} else if (f->left.instance) {
		take_call(f, "ended");
	} else if (f->last.instance) {
		take_place(f, &f->last, false);
	}
	watch_errors_add_earlier(&f->errors, &f->watch, true);
}

static void take_hang(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	struct criterion *out = f->watch.out;

	out->kind = CRITERION_HANG;
	str_add(&out->what, "the hang");
	if (f->cut) {
		out->end = execution_statements(f->watch.e);
		watch_note(&f->watch,
		           "of the run without end, the first %llu statements were looked at",
		           (unsigned long long)out->end);
	}
	if (is_inside(f)) {
		take_call(f, "was");
	} else if (f->last.instance) {
		take_place(f, &f->last, true);
		str_add(&out->why, f->cut ? "the program went on there until it was stopped"
		                          : "the program was stopped there");
	}
	/* The branch that decided that the last block is executed: that of the innermost loop, or
	   one inside it that it controls. */
	if (a && a->parent >= EXECUTION_FIRST)
		watch_add(&f->watch, &(struct slice_criterion){.instance = a->parent});
}

static struct hence_error *finish(struct watch *watch)
{
	struct failure_watch *f = (struct failure_watch *)watch;

	if (!f->last.instance && !execution_top(watch->e, 0))
		return error_create(HENCE_ERROR_INPUT,
		                    "the program executed no statement that was built with hence "
		                    "cc, so nothing is known of its failure");
	watch_errors_see(&f->errors, watch);
	switch (f->outcome->kind) {
	case OUTCOME_SIGNALLED: take_signal(f); break;
	case OUTCOME_TIMED_OUT: take_hang(f); break;
	case OUTCOME_EXITED:
		if (f->outcome->status)
			take_exit(f);
		else
			take_memory(f);
		break;
	default: take_memory(f);
	}
	return NULL;
}

struct hence_error *criterion_of_failure(const struct recording *run, const struct outcome *outcome,
                                         double until, struct criterion *out)
{
	struct criterion found = {0};
	struct failure_watch f = {.watch = {.run = run,
	                                    .until = until,
	                                    .statement = on_statement,
	                                    .finish = finish,
	                                    .out = &found},
	                          .outcome = outcome};
	struct hence_error *error = watch_ask(&f.watch);

	f.watch.errors = &f.errors;
	if (!error && f.watch.whole)
		want(&f);
	if (!error)
		error = watch_run(&f.watch);
	watch_errors_deinit(&f.errors);
	vec_deinit(&f.known);
	free(f.left.callee);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}

/* ------ a byte that a program printed ------ */

#define WORD 64u /* bytes of a word that are taken on each side of the wrong one */

struct output_watch {
	struct watch watch;
	const char *stream; /* as the user named it; NULL: standard output */
	uint64_t offset;    /* UINT64_MAX: the end */
	/* what is taken: that byte, or the word that it is in or that ends before it */
	uint64_t from, to;
	const char *output;         /* all of it, of wrong output; NULL: that is not asked */
	struct watch_errors errors; /* of wrong output */
	bool found;                 /* the byte */
	uint64_t size;              /* bytes that were printed so far */
	/* of the last call that put something out, and of the last statement */
	uint32_t call, code;
	uint32_t last, last_code;
};

/* --- streams --- */

static bool is_stream(const struct outputs_stream *stream, const char *name)
{
	int descriptor = !name || !strcmp(name, "stdout") ? 1 : !strcmp(name, "stderr") ? 2 : -1;

	if (descriptor >= 0)
		return stream->given && stream->descriptor == descriptor;
	return stream->name && describe_is_file(stream->name, name);
}

static const struct outputs *outputs_of(const struct output_watch *o)
{
	return execution_outputs(o->watch.whole ? o->watch.whole : o->watch.e);
}

static const struct outputs_stream *find_stream(const struct output_watch *o)
{
	uint32_t count;
	const struct outputs_stream *const *all = outputs_streams(outputs_of(o), &count);

	for (uint32_t i = 0; i < count; i++)
		if (is_stream(all[i], o->stream))
			return all[i];
	return NULL;
}

static const char *stream_name(const struct output_watch *o)
{
	if (!o->stream || !strcmp(o->stream, "stdout"))
		return "standard output";
	return strcmp(o->stream, "stderr") ? o->stream : "standard error";
}

/* --- the word --- */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* --- the byte --- */

static void add_call(struct output_watch *o, uint32_t instance, uint32_t code, bool itself)
{
	watch_add(&o->watch, &(struct slice_criterion){.instance = instance, .itself = itself});
	watch_mark(&o->watch, instance);
	watch_set_place(&o->watch, code);
}

/* ` in "135"`, or ` after "2"` if the byte comes right after it. */
static void add_word(const struct output_watch *o, struct str *out)
{
	uint64_t end = o->to;
	bool behind = o->offset == UINT64_MAX || is_space(o->output[o->offset]);

	if (behind && o->offset != UINT64_MAX)
		end = o->offset;
	str_add(out, behind ? " after " : " in ");
	ctype_print_text((const uint8_t *)o->output + o->from, end - o->from, 0, out);
}

static void take_piece(struct output_watch *o, const struct outputs_stream *stream,
                       const struct outputs_piece *piece)
{
	bool precise = piece->known && (piece->argument || piece->address || piece->slot);
	uint32_t instance = describe_instance(o->watch.e);

	watch_add(&o->watch, &(struct slice_criterion){.instance = instance, .itself = precise});
	watch_mark(&o->watch, instance);
	if (precise) {
		/* The argument that the byte was printed from, and the memory. */
		const struct activation *a = execution_top(o->watch.e, 0);
		const struct code_call *call = a->function->insns[a->pc - 1].more;
		uint64_t at = piece->address, length = piece->length;
		uint64_t skip = o->from > piece->offset ? o->from - piece->offset : 0;
		uint64_t end = o->to - piece->offset < length ? o->to - piece->offset : length;

		if (piece->argument && piece->argument <= call->count)
			watch_add_operand(&o->watch, a,
			                  call->arguments[piece->argument - 1].operand);
		if (piece->slot)
			watch_add_memory(&o->watch, piece->slot, 8, NULL);
		if (piece->exact && skip < end) {
			at += skip;
			length = end - skip;
		}
		if (at)
			watch_add_memory(&o->watch, at, length, NULL);
	}
	if (o->found || piece != outputs_at(stream, o->offset))
		return;
	o->found = true;
	watch_set_place(&o->watch, watch_code(&o->watch));

	/* `byte 4 of standard output, '7'`. */
	const uint8_t *bytes = outputs_piece_bytes(stream, piece);
	struct str *what = &o->watch.out->what;

	str_printf(what, "byte %llu of %s", (unsigned long long)o->offset, stream_name(o));
	if (bytes) {
		str_add(what, ", ");
		ctype_print_text(&bytes[o->offset - piece->offset], 1, 0, what);
		if (o->to - o->from > 1)
			add_word(o, what);
	}

	struct described described = {0};

	describe_statement(o->watch.names, o->watch.e, false, &described);
	str_printf(&o->watch.out->why, "it was printed by %s", str_text(&described.text));
	described_deinit(&described);
}

/* What a call printed, from `at` on. */
static void take_pieces(struct output_watch *o, const struct outputs_stream *stream, uint64_t at)
{
	const struct outputs_piece *piece;

	for (at = at < o->from ? o->from : at; at < o->to && at < o->size;
	     at = piece->offset + piece->size) {
		piece = outputs_at(stream, at);
		if (!piece || !piece->size)
			return;
		take_piece(o, stream, piece);
	}
}

static void look_for_output(struct watch *watch, enum execution_event event)
{
	struct output_watch *o = (struct output_watch *)watch;
	const struct outputs_stream *stream = find_stream(o);
	uint64_t before;

	if (o->output)
		watch_errors_see(&o->errors, watch);
	o->last = describe_instance(watch->e);
	o->last_code = watch_code(watch);
	if (!watch_prints(watch, event, stream, &before, &o->size))
		return;
	o->call = o->last;
	o->code = o->last_code;
	take_pieces(o, stream, before);
	if (o->found && o->size >= o->to)
		watch_halt(watch);
}

/* --- the end --- */

static struct hence_error *finish_with_output(struct watch *watch)
{
	struct output_watch *o = (struct output_watch *)watch;
	struct hence_error *error;
	struct str list = STR_INIT;

	if (o->offset == UINT64_MAX && o->last) {
		struct criterion *out = o->watch.out;

		out->kind = CRITERION_OUTPUT;
		str_printf(&out->what, "the end of %s", stream_name(o));
		if (o->output && o->to > o->from)
			add_word(o, &out->what);
		if (o->call)
			add_call(o, o->call, o->code, true);
		if (o->last != o->call)
			watch_add(&o->watch, &(struct slice_criterion){.instance = o->last});
		if (!o->call) {
			watch_mark(&o->watch, o->last);
			watch_set_place(&o->watch, o->last_code);
		}
		str_printf(&out->why,
		           "after %llu bytes more was expected; the slice is of the last call "
		           "that put something out, and of how the program ended",
		           (unsigned long long)o->size);
	}
	if (o->found || watch->out->kind == CRITERION_OUTPUT) {
		watch->out->kind = CRITERION_OUTPUT;
		if (o->output)
			watch_errors_add_earlier(&o->errors, watch, true);
		return NULL;
	}

	uint32_t count;
	const struct outputs_stream *const *all = outputs_streams(outputs_of(o), &count);

	for (uint32_t i = 0; i < count && i < 8; i++) {
		if (!all[i]->size)
			continue;
		str_add(&list, list.length ? ", " : "");
		if (all[i]->given)
			str_printf(&list,
			           all[i]->descriptor == 1   ? "stdout"
			           : all[i]->descriptor == 2 ? "stderr"
			                                     : "descriptor %d",
			           all[i]->descriptor);
		else
			str_add(&list, all[i]->name ? all[i]->name : "a file without a name");
		str_printf(&list, " (%llu bytes)", (unsigned long long)all[i]->size);
	}
	if (!list.length)
		str_add(&list, "nothing");

	error = error_create(HENCE_ERROR_INPUT,
	                     "--output: %s has no byte %llu (the first is 0); the program printed: "
	                     "%s",
	                     stream_name(o), (unsigned long long)o->offset, str_text(&list));
	str_deinit(&list);
	return error;
}

/* The calls that printed what is taken or, if they did not print all of it, the last one and the end of the run; and of wrong output
   the errors until then. */
static void want_output(struct output_watch *o)
{
	const struct execution *whole = o->watch.whole;
	const int64_t errors[] = {watch_errors_first(whole, false),
	                          watch_errors_first(whole, true)};
	const struct history_print *print, *prints;
	uint64_t at = o->from, end = 0;
	uint32_t count;

	while (at < o->to && (print = history_print_of(o->watch.run, at))) {
		watch_want(&o->watch, end = print->time);
		at = print->to;
	}
	if (at < o->to || o->offset == UINT64_MAX) {
		prints = history_prints(o->watch.run, &count);
		if (count)
			watch_want(&o->watch, prints[count - 1].time);
		watch_want_end(&o->watch);
		end = UINT64_MAX;
	}
	for (size_t i = 0; o->output && i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i] >= 0 && execution_errors(whole, &count)[errors[i]].statement <= end)
			watch_want_error(&o->watch, (uint32_t)errors[i]);
}

static struct hence_error *look(struct output_watch *o, const struct recording *run, double until,
                                struct criterion *out)
{
	struct criterion found = {0};
	struct hence_error *error;

	o->watch = (struct watch){.run = run,
	                          .outputs = true,
	                          .until = until,
	                          .statement = look_for_output,
	                          .finish = finish_with_output,
	                          .out = &found};
	o->watch.errors = &o->errors;
	/* Of other streams the history does not know when they were printed to. */
	error = !o->stream || !strcmp(o->stream, "stdout") ? watch_ask(&o->watch) : NULL;
	if (!error && o->watch.whole)
		want_output(o);
	if (!error)
		error = watch_run(&o->watch);
	watch_errors_deinit(&o->errors);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}

struct hence_error *criterion_of_output(const struct recording *run, const char *stream,
                                        uint64_t offset, double until, struct criterion *out)
{
	struct output_watch o = {.stream = stream, .offset = offset, .from = offset, .to = offset};

	if (offset != UINT64_MAX)
		o.to++;
	return look(&o, run, until, out);
}

struct hence_error *criterion_of_wrong_output(const struct recording *run, const struct str *output,
                                              uint64_t offset, double until, struct criterion *out)
{
	struct output_watch o = {.offset = offset, .output = str_text(output)};

	if (offset >= output->length)
		o.offset = UINT64_MAX;

	/* One byte says little: of `2` instead of `20` the end of the line is the first that is
	   wrong. So all of the word counts that contains the byte, or that ends right before it. */
	uint64_t length = output->length;
	uint64_t at = o.offset < length ? o.offset : length;

	o.from = at;
	o.to = at < length ? at + 1 : at;
	while (o.from && at - o.from < WORD && !is_space(o.output[o.from - 1]))
		o.from--;
	if (at != length && !is_space(o.output[at])) {
		while (o.to < length && o.to - at < WORD && !is_space(o.output[o.to]))
			o.to++;
	}

	return look(&o, run, until, out);
}

/* ------ what is wrong with a run that was judged ------ */

/* Kept with the history. */
struct result_criterion {
	bool output; /* that is wrong, from byte `offset` on */
	uint64_t offset;
	struct criterion found;
};

static void result_criterion_destroy(void *kept)
{
	struct result_criterion *r = kept;

	criterion_deinit(&r->found);
	free(r);
}

static char *copy_text(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static void criterion_copy(const struct criterion *from, struct criterion *out)
{
	*out = (struct criterion){.kind = from->kind,
	                          .file = copy_text(from->file),
	                          .function = copy_text(from->function),
	                          .line = from->line,
	                          .column = from->column,
	                          .end = from->end};
	for (uint32_t i = 0; i < from->at.size; i++)
		*vec_push(&out->at) = from->at.at[i];
	for (uint32_t i = 0; i < from->marks.size; i++)
		*vec_push(&out->marks) = from->marks.at[i];
	for (uint32_t i = 0; i < from->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(from->notes.at[i]);
	str_add(&out->what, str_text(&from->what));
	str_add(&out->why, str_text(&from->why));
}

struct hence_error *criterion_of_result(const struct recording *run, const struct oracle *oracle,
                                        const struct trial_result *result,
                                        const struct outcome *outcome, struct criterion *out)
{
	bool output = oracle->failure.kind == FAILURE_OUTPUT;
	uint64_t offset = output ? oracle_wrong_byte(oracle, result) : 0;
	void **room = history_room(run, result_criterion_destroy);
	const struct result_criterion *known = room ? *room : NULL;
	struct result_criterion *kept;
	struct hence_error *error;

	/* The same run may be judged by something else later on. */
	if (known && known->output == output && known->offset == offset) {
		criterion_copy(&known->found, out);
		return NULL;
	}
	error = output ? criterion_of_wrong_output(run, &result->output, offset, 0, out)
	               : criterion_of_failure(run, outcome, 0, out);
	if (error || !room)
		return error;
	if (*room)
		result_criterion_destroy(*room);
	kept = mem_alloc(sizeof(*kept));
	kept->output = output;
	kept->offset = offset;
	criterion_copy(out, &kept->found);
	*room = kept;
	return NULL;
}

/* ------ a line or a variable that the user points at ------ */

#define NEAR 2u /* lines on each side that a message names */

enum answer {
	UNKNOWN,
	ELSEWHERE,
	HERE,
};

/* A function under way: is it on the line, and what of the line has it executed? */
struct visit {
	bool on;
	uint32_t instance; /* the last */
	int64_t execution;
	VEC(uint32_t) codes;
};

MAP_DEFINE_U64(line_map, bool);

struct place_watch {
	struct watch watch;
	const struct criterion_point *point;
	int64_t wanted;        /* execution; 0: the last */
	int64_t executions;    /* of the line so far */
	int64_t taken;         /* the one that the criterion is of */
	VEC(uint8_t) answers;  /* enum answer of each instruction */
	VEC(struct visit) at;  /* of each function under way */
	struct line_map lines; /* of the file that were executed */
	char *problem;         /* why it is not known; NULL: it is */
	uint32_t told;         /* the instance of the last statement */
	bool counting;         /* nothing else */
};

/* --- is it the line? --- */

static enum answer ask(struct place_watch *p, uint32_t code)
{
	struct walk_place place = names_place(p->watch.names, code);

	if (!place.file || !describe_is_file(place.file, p->point->file))
		return ELSEWHERE;
	*line_map_put(&p->lines, place.line) = true;
	return place.line == p->point->line ? HERE : ELSEWHERE;
}

static bool is_here(struct place_watch *p, uint32_t code)
{
	while (p->answers.size <= code)
		*vec_push(&p->answers) = UNKNOWN;
	if (p->answers.at[code] == UNKNOWN)
		p->answers.at[code] = (uint8_t)ask(p, code);
	return p->answers.at[code] == HERE;
}

/* --- executions --- */

static void leave_visits(struct place_watch *p, uint32_t depth)
{
	for (; p->at.size > depth; p->at.size--)
		vec_deinit(&p->at.at[p->at.size - 1].codes);
}

static bool has_code(const struct visit *v, uint32_t code)
{
	for (uint32_t i = 0; i < v->codes.size; i++)
		if (v->codes.at[i] == code)
			return true;
	return false;
}

/* The function on top is on the line: in which execution of it? */
static void enter(struct place_watch *p, struct visit *v, uint32_t code, uint32_t instance)
{
	/* A call that calls back is told once more when it returns. */
	if (v->on && v->instance == instance)
		return;
	if (!v->on || has_code(v, code)) {
		v->execution = ++p->executions;
		v->codes.size = 0;
	}
	v->on = true;
	v->instance = instance;
	*vec_push(&v->codes) = code;
}

static bool is_wanted(const struct place_watch *p, const struct visit *v)
{
	return v->on && !p->counting && (!p->wanted || v->execution == p->wanted);
}

/* --- what is there --- */

static void take(struct place_watch *p, const struct visit *v, uint32_t depth)
{
	uint32_t mark = v->instance, code = watch_code(&p->watch);
	struct criterion *out = p->watch.out;

	if (depth) {
		/* A callee has returned: the line is as it was. */
		mark = out->marks.size ? out->marks.at[out->marks.size - 1] : 0;
		code = v->codes.at[v->codes.size - 1];
	}
	if (p->point->variable || v->execution != p->taken) {
		criterion_deinit(p->watch.out);
		free(p->problem);
		p->problem = NULL;
	}
	p->taken = v->execution;
	out->kind = CRITERION_PLACE;
	watch_set_place(&p->watch, code);
	if (mark)
		watch_mark(&p->watch, mark);
	if (p->point->variable) {
		/* The variable as it is now, seen from the function at `depth`. */
		struct describe_place place;

		p->problem = describe_lookup(p->watch.names, depth, p->point->variable, &place);
		if (!p->problem) {
			struct memory *memory = execution_memory(p->watch.e);
			uint64_t size = place.size < 256 ? place.size : 256;
			uint8_t bytes[256], undefined[256];
			struct ctype_part part = place.part;

			memory_read(memory, place.address, size, bytes);
			memory_read_undefined(memory, place.address, size, undefined);
			str_printf(&p->watch.out->what, "%s = ", p->point->variable);
			names_print(p->watch.names, &part, bytes, undefined, size,
			            size == 8 ? memory_load(memory, place.address, 8).object : 0,
			            60, &p->watch.out->what);

			watch_add_memory(&p->watch, place.address, place.size, p->point->variable);
		}
		return;
	}
	watch_add(&p->watch, &(struct slice_criterion){.instance = mark});
}

/* The function on top is at this instruction. */
static void see(struct place_watch *p, uint32_t instance)
{
	uint32_t depth = execution_depth(p->watch.e) - 1, code = watch_code(&p->watch);
	struct visit *v;

	leave_visits(p, depth + 1);
	if (is_here(p, code)) {
		while (p->at.size <= depth)
			vec_push(&p->at);
		v = &p->at.at[depth];
		enter(p, v, code, instance);
		if (is_wanted(p, v))
			take(p, v, 0);
	} else if (p->at.size > depth) {
		p->at.at[depth].on = false;
	}

	/* A function returns to one that is on the line: what it changed is now to be seen there.
	   */
	const struct activation *a = execution_top(p->watch.e, 0);

	if (depth && p->point->variable && !a->entered &&
	    a->function->insns[a->pc - 1].op == CODE_RETURN && p->at.size > depth - 1 &&
	    is_wanted(p, &p->at.at[depth - 1]))
		take(p, &p->at.at[depth - 1], 1);
}

static void look_for_place(struct watch *watch, enum execution_event event)
{
	struct place_watch *p = (struct place_watch *)watch;

	p->told = describe_instance(watch->e);
	see(p, p->told);
}

/* --- what is wrong --- */

/* Appends the nearest lines before or after the requested one that were executed. */
static void add_near(const struct place_watch *p, bool before, struct str *out)
{
	uint64_t found[NEAR] = {0}, from = p->point->line;
	uint32_t count = 0;

	for (; count < NEAR; count++) {
		uint64_t best = 0;

		map_each(&p->lines, i)
		{
			uint64_t line = p->lines.at[i].key;

			if (before ? line < from && line > best
			           : line > from && (!best || line < best))
				best = line;
		}
		if (!best)
			break;
		found[count] = from = best;
	}
	for (uint32_t i = 0; i < count; i++)
		str_printf(out, "%s%llu", out->length ? ", " : "",
		           (unsigned long long)found[before ? count - 1 - i : i]);
}

/* Files of the program, each once. */
static void add_files(const struct program *program, const char *wanted, bool *is_one,
                      struct str *out)
{
	VEC(const char *) seen = VEC_INIT;

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++) {
			LLVMValueRef last = LLVMGetLastInstruction(
				LLVMGetLastBasicBlock(plan->functions.at[i].function));
			unsigned length;
			const char *file = LLVMInstructionGetDebugLoc(last)
			                           ? LLVMGetDebugLocFilename(last, &length)
			                           : NULL;
			bool known = !file;

			for (uint32_t k = 0; k < seen.size && !known; k++)
				known = !strcmp(seen.at[k], file);
			if (known)
				continue;
			*vec_push(&seen) = file;
			*is_one |= describe_is_file(file, wanted);
			if (seen.size <= 12)
				str_printf(out, "%s%s", out->length ? ", " : "", file);
		}
	}
	if (seen.size > 12)
		str_add(out, ", ...");
	vec_deinit(&seen);
}

static struct hence_error *no_line(struct place_watch *p)
{
	struct str near = STR_INIT;
	struct hence_error *error;

	if (!p->lines.size) {
		struct str files = STR_INIT;
		bool is_one = false;

		add_files(walk_program(execution_walk(p->watch.e)), p->point->file, &is_one,
		          &files);
		if (is_one)
			error = error_create(HENCE_ERROR_INPUT,
			                     "nothing of %s was executed, so %s:%u has no slice",
			                     p->point->file, p->point->file, p->point->line);
		else
			error = error_create(
				HENCE_ERROR_INPUT,
				"the program has no source file %s; its files: %s", p->point->file,
				files.length ? str_text(&files) : "none (build it with -g)");
		str_deinit(&files);
		return error;
	}
	add_near(p, true, &near);
	add_near(p, false, &near);
	error = error_create(HENCE_ERROR_INPUT, "%s:%u was not executed; executed lines nearby: %s",
	                     p->point->file, p->point->line, str_text(&near));
	str_deinit(&near);
	return error;
}

/* --- all --- */

static struct hence_error *finish_with_place(struct watch *watch)
{
	struct place_watch *p = (struct place_watch *)watch;
	struct criterion *out = watch->out;

	/* A statement that the program died in has not ended, but it was begun. */
	const struct activation *a = execution_top(p->watch.e, 0);
	uint32_t instance;

	if (p->watch.run->death && a && a->pc) {
		instance = watch_dying(&p->watch, p->told);
		if (instance > p->told)
			see(p, instance);
	}

	if (!p->executions)
		return no_line(p);
	if (p->counting)
		return NULL;
	if (!p->taken)
		return error_create(HENCE_ERROR_INPUT,
		                    "--instance %lld: %s:%u was executed %lld time%s",
		                    (long long)p->point->instance, p->point->file, p->point->line,
		                    (long long)p->executions, p->executions == 1 ? "" : "s");
	if (p->problem)
		return error_create(HENCE_ERROR_INPUT, "%s at %s:%u %s", p->point->variable,
		                    p->point->file, p->point->line, p->problem);
	if (!p->point->variable)
		str_add(&out->what, "the line");
	if (p->executions > 1)
		str_printf(&out->why, "execution %lld of %lld of the line", (long long)p->taken,
		           (long long)p->executions);
	return NULL;
}

static struct hence_error *look_at_place(const struct recording *run,
                                         const struct criterion_point *point, double until,
                                         int64_t *count, struct criterion *out)
{
	struct place_watch p = {.watch = {.run = run,
	                                  .until = until,
	                                  .statement = look_for_place,
	                                  .finish = finish_with_place,
	                                  .out = out},
	                        .point = point,
	                        .counting = point->instance < -1 && !*count};
	struct hence_error *error;

	if (point->instance > 0)
		p.wanted = point->instance;
	else if (*count)
		p.wanted = *count + 1 + point->instance > 0 ? *count + 1 + point->instance : -1;
	error = watch_run(&p.watch);
	*count = p.executions;

	leave_visits(&p, 0);
	vec_deinit(&p.at);
	vec_deinit(&p.answers);
	line_map_deinit(&p.lines);
	free(p.problem);

	return error;
}

struct hence_error *criterion_of_place(const struct recording *run,
                                       const struct criterion_point *point, double until,
                                       struct criterion *out)
{
	struct criterion found = {0};
	int64_t count = 0;
	struct hence_error *error = look_at_place(run, point, until, &count, &found);

	/* To count from the end, the end must be known. */
	if (!error && point->instance < -1)
		error = look_at_place(run, point, until, &count, &found);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}

/* ------ the whole ------ */

void criterion_deinit(struct criterion *c)
{
	for (uint32_t i = 0; i < c->notes.size; i++)
		free(c->notes.at[i]);
	vec_deinit(&c->notes);
	vec_deinit(&c->at);
	vec_deinit(&c->marks);
	str_deinit(&c->what);
	str_deinit(&c->why);
	free(c->file);
	free(c->function);
	*c = (struct criterion){0};
}

const char *criterion_kind_name(enum criterion_kind kind)
{
	static const char *const names[] = {
		[CRITERION_NONE] = "none",     [CRITERION_CRASH] = "crash",
		[CRITERION_ABORT] = "abort",   [CRITERION_ASSERT] = "assert",
		[CRITERION_EXIT] = "exit",     [CRITERION_HANG] = "hang",
		[CRITERION_MEMORY] = "memory", [CRITERION_OUTPUT] = "output",
		[CRITERION_PLACE] = "place",
	};

	return names[kind];
}

void criterion_add_place(const struct criterion *c, struct str *out)
{
	if (c->file && c->line)
		str_printf(out, " at %s:%u", c->file, c->line);
	if (c->function)
		str_printf(out, " in %s()", c->function);
}
