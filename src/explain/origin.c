/* Where a bad value was made: see origin.h. */
#include "explain/origin.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "explain/steps.h"
#include "explain/suspects.h"
#include "failure/watch.h"

#define LOWEST       4096u /* address that may be a pointer; below, it is NULL or a member of it */
#define LONGEST_LINE 60u   /* columns of a line of source in a sentence */
#define MOST_HOPS    100000u
#define INITIAL                                                                                    \
	0.4 /* what an initial value is worth as evidence: mostly somebody should have changed it */

enum origin_kind {
	ORIGIN_NONE,
	ORIGIN_CONSTANT,
	ORIGIN_COMPUTED,
	ORIGIN_CALL, /* of outside code */
	ORIGIN_INITIAL,
	ORIGIN_UNINITIALISED,
};

static const char *const origin_kinds[] = {
	[ORIGIN_NONE] = NULL,           [ORIGIN_CONSTANT] = "constant",
	[ORIGIN_COMPUTED] = "computed", [ORIGIN_CALL] = "call",
	[ORIGIN_INITIAL] = "initial",   [ORIGIN_UNINITIALISED] = "uninitialised",
};

struct origin_search {
	const struct recording *run;
	double until;
	struct execution *whole;
	struct explain_sources *sources;
	struct explanation_origin *out;

	/* The bad value: an operand of LLVM's `user`, and of the instance `at`. */
	uint32_t user, at, operand;
	LLVMValueRef value;
	uint64_t bits;
	bool undefined; /* any value that was never initialised and that `at` depends on */

	/* Who made it. */
	enum origin_kind kind;
	uint32_t maker;         /* instance */
	uint64_t address;       /* ORIGIN_INITIAL, ORIGIN_UNINITIALISED: where it lay */
	bool passed;            /* a constant argument of the call `maker` */
	bool itself;            /* ORIGIN_CALL: it is the call's result */
	uint32_t returned_from; /* frame that returned it last; UINT32_MAX: none */
};

static bool is_kept(const struct origin_search *s, uint32_t instance)
{
	uint32_t first, end;

	execution_kept(s->whole, &first, &end);
	return instance >= EXECUTION_FIRST && instance >= first && instance < end;
}

/* ------ back to who made it ------ */

static void made_by(struct origin_search *s, enum origin_kind kind, uint32_t instance)
{
	s->kind = kind;
	s->maker = instance;
}

/* A parameter of the function that the instance is in? */
static bool is_parameter(const struct origin_search *s, uint32_t instance, uint32_t operand)
{
	const struct code_function *f =
		code_of(execution_code_table(s->whole), execution_code(s->whole, instance));

	return operand % 2 == 0 && operand / 2 < f->slots &&
	       f->makers[operand / 2] & CODE_PARAMETER;
}

static void take_memory(void *context, const struct execution_origin *origin)
{
	struct execution_origin *out = context;

	if (origin->size && !out->size && !origin->chosen)
		*out = *origin;
}

/* Who stored the bytes that `reader` read: goes on with an operand of it (true), or it is the end. */
static bool follow_memory(struct origin_search *s, uint32_t reader, uint32_t *instance,
                          uint32_t *operand)
{
	uint64_t from = 0, to = 0;

	for (uint32_t hops = 0; hops < MOST_HOPS; hops++) {
		struct execution_origin o = {0};
		const struct code_insn *insn;

		execution_origins(s->whole, reader, from, to, take_memory, &o);
		if (!o.size)
			return false;
		s->address = o.from;
		if (o.source == SOURCE_UNDEFINED || o.source == SOURCE_INITIAL)
			made_by(s,
			        o.source == SOURCE_INITIAL ? ORIGIN_INITIAL : ORIGIN_UNINITIALISED,
			        reader);
		if (!is_kept(s, o.source))
			return false;
		insn = execution_insn(s->whole, o.source);
		switch (insn->op) {
		case CODE_STORE:
		case CODE_STORE_WIDE:
			*instance = o.source;
			*operand = insn->a;
			return true;
		case CODE_COPY:
			reader = o.source;
			from = o.written ? o.written : o.from;
			to = from + o.size;
			break;
		case CODE_FILL: made_by(s, ORIGIN_CONSTANT, o.source); return false;
		case CODE_CALL:
			if (execution_source(s->whole, o.source) & EXECUTION_GROUP)
				made_by(s, ORIGIN_CALL, o.source);
			return false;
		default: return false;
		}
	}
	return false;
}

static bool is_cast(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMZExt:
	case LLVMBitCast:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
	case LLVMAddrSpaceCast:
	case LLVMFreeze: return true;
	default: return false;
	}
}

/* Follows an operand through copies, parameters, returns and memory. */
static void follow(struct origin_search *s)
{
	const struct execution *e = s->whole;
	uint32_t instance = s->at, operand = s->operand, frame_count;
	const struct execution_frame *frames = execution_frames(e, &frame_count);

	s->returned_from = UINT32_MAX;
	for (uint32_t hops = 0; hops < MOST_HOPS; hops++) {
		const struct code_insn *insn;
		uint64_t value;
		uint32_t made;

		if (!execution_operand(e, instance, operand, &value, &made))
			return;
		if (!made && operand % 2) {
			made_by(s, ORIGIN_CONSTANT, instance);
			return;
		}
		if (!is_kept(s, made))
			return;
		if (is_parameter(s, instance, operand) &&
		    frames[execution_segment(e, instance)->frame].call == made) {
			made_by(s, ORIGIN_CONSTANT, made);
			s->passed = true;
			return;
		}
		while (execution_insn(e, made)->op == CODE_PHI) {
			if (!is_kept(s, execution_source(e, made))) {
				made_by(s, ORIGIN_CONSTANT, made);
				return;
			}
			made = execution_source(e, made);
		}
		insn = execution_insn(e, made);
		instance = made;
		switch (insn->op) {
		case CODE_MOVE:
		case CODE_TRUNC:
		case CODE_SEXT: operand = insn->a; break;
		case CODE_STEP:
		case CODE_INDEX:
			/* A member of what a bad pointer points to. */
			if (!execution_operand(e, made, insn->a, &value, &made) ||
			    value >= LOWEST || !(insn->flags & CODE_POINTER)) {
				made_by(s, ORIGIN_COMPUTED, instance);
				return;
			}
			operand = insn->a;
			break;
		case CODE_LOAD:
		case CODE_LOAD_WIDE:
			if (!follow_memory(s, made, &instance, &operand))
				return;
			break;
		case CODE_CALL:
			made = execution_source(e, instance);
			if (!is_kept(s, made) || execution_insn(e, made)->op != CODE_RETURN) {
				if (!(made & EXECUTION_GROUP) && made >= EXECUTION_FIRST)
					return;
				made_by(s, ORIGIN_CALL, instance);
				s->itself = true;
				return;
			}
			s->returned_from = execution_segment(e, made)->frame;
			instance = made;
			operand = execution_insn(e, made)->a;
			break;
		case CODE_EVAL:
			if (is_cast(execution_instruction(e, made))) {
				operand = ((const struct code_eval *)insn->more)->in[0].operand;
				break;
			}
			made_by(s, ORIGIN_COMPUTED, made);
			return;
		default: made_by(s, ORIGIN_COMPUTED, made); return;
		}
	}
}

/* --- a value that was never initialised --- */

struct range_read {
	uint32_t instance;
	uint64_t from, to; /* bytes of what it copied; 0: all */
};

struct undefined_search {
	struct origin_search *s;
	VEC(struct range_read) open;
	roaring_bitmap_t *seen;
	uint32_t now;
};

static void take_origin(void *context, const struct execution_origin *o)
{
	struct undefined_search *u = context;
	uint64_t from = o->written ? o->written : o->from;

	if (u->s->kind || o->chosen)
		return;
	if (o->source == SOURCE_UNDEFINED && o->size) {
		made_by(u->s, ORIGIN_UNINITIALISED, u->now);
		u->s->address = o->from;
	} else if (!o->itself && is_kept(u->s, o->source) &&
	           roaring_bitmap_add_checked(u->seen, o->source)) {
		bool copies = o->size && execution_copies(u->s->whole, o->source);

		*vec_push(&u->open) = (struct range_read){o->source, copies ? from : 0,
		                                          copies ? from + o->size : 0};
	}
}

/* The nearest reading of memory that nobody wrote, among all that the instance was computed from. */
static void follow_undefined(struct origin_search *s)
{
	struct undefined_search u = {.s = s, .seen = roaring_bitmap_create()};

	*vec_push(&u.open) = (struct range_read){s->at, 0, 0};
	for (uint32_t i = 0; i < u.open.size && i < MOST_HOPS && !s->kind; i++) {
		struct range_read r = u.open.at[i];

		u.now = r.instance;
		execution_origins(s->whole, r.instance, r.from, r.to, take_origin, &u);
	}
	vec_deinit(&u.open);
	roaring_bitmap_free(u.seen);
}

/* ------ the bad value ------ */

static bool take_operand(struct origin_search *s, uint32_t at, uint32_t operand, LLVMValueRef value)
{
	uint32_t made;

	s->at = at;
	s->operand = operand;
	s->value = value;
	return execution_operand(s->whole, at, operand, &s->bits, &made);
}

/* The pointer of a load or store, without the members and elements that it goes to; or, if it points to an object, the index with which
   it leaves it. `object`: that it should have stayed in; 0: not known. */
static bool take_access(struct origin_search *s, uint32_t instance, uint32_t object)
{
	struct execution *e = s->whole;
	LLVMValueRef i = execution_instruction(e, instance), base, index_value = NULL;
	const struct code_insn *insn = execution_insn(e, instance);
	uint32_t operand = watch_pointer_operand(insn), at = instance, made, index_at = 0,
		 index_operand = 0;
	uint64_t bits;
	bool right;

	if (LLVMIsAStoreInst(i))
		base = LLVMGetOperand(i, 1);
	else if (LLVMIsALoadInst(i))
		base = LLVMGetOperand(i, 0);
	else
		return false;
	while (LLVMIsAGetElementPtrInst(base)) {
		if (!execution_operand(e, at, operand, &bits, &made) || !is_kept(s, made) ||
		    execution_instruction(e, made) != base)
			break;
		insn = execution_insn(e, made);
		if (!index_at && insn->op == CODE_INDEX && insn->b % 2 == 0) {
			index_at = made;
			index_operand = insn->b;
			index_value = LLVMGetOperand(base, (unsigned)LLVMGetNumOperands(base) - 1);
		}
		at = made;
		operand = insn->a;
		base = LLVMGetOperand(base, 0);
	}
	if (!execution_operand(e, at, operand, &bits, &made))
		return false;
	/* A pointer to the object is right: the index is wrong. The address of a variable is not made by anybody. */
	right = bits >= LOWEST && (!made || execution_object_at(e, bits));
	if (object) {
		const struct object *o = objects_at(execution_objects(e), object);

		right |= bits >= o->address && bits < o->address + o->size;
	}
	if (right)
		return index_at && take_operand(s, index_at, index_operand, index_value);
	return take_operand(s, at, operand, base);
}

/* What the run died of: `instance`. */
static bool take_fault(struct origin_search *s, uint32_t instance)
{
	LLVMValueRef i = execution_instruction(s->whole, instance);
	const struct code_insn *insn = execution_insn(s->whole, instance);
	const struct code_call *call = insn->more;

	s->user = instance;
	if (insn->op == CODE_CALL) {
		if (!call->name && take_operand(s, instance, call->callee, LLVMGetCalledValue(i)) &&
		    s->bits < LOWEST)
			return true;
		/* The library died of an argument. */
		for (uint32_t k = 0; k < call->count; k++)
			if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) ==
			            LLVMPointerTypeKind &&
			    take_operand(s, instance, call->arguments[k].operand,
			                 LLVMGetOperand(i, k)) &&
			    s->bits < LOWEST)
				return true;
		return false;
	}
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem:
		if (insn->op == CODE_EVAL)
			return take_operand(s, instance,
			                    ((const struct code_eval *)insn->more)->in[1].operand,
			                    LLVMGetOperand(i, 1));
		return take_operand(s, instance, insn->b, LLVMGetOperand(i, 1));
	default: return take_access(s, instance, 0);
	}
}

static bool take_error(struct origin_search *s)
{
	int64_t index = watch_errors_first(s->whole, false);
	uint32_t count;
	const struct execution_error *error;

	if (index < 0)
		return false;
	error = &execution_errors(s->whole, &count)[index];
	if (!is_kept(s, error->instance))
		return false;
	s->user = s->at = error->instance;
	switch (error->kind) {
	case ERROR_UNINITIALISED_BRANCH:
	case ERROR_UNINITIALISED_ADDRESS:
	case ERROR_UNINITIALISED_OUTPUT: return s->undefined = true;
	case ERROR_OUT_OF_BOUNDS:
	case ERROR_OUT_OF_MEMBER:
		return !error->outside && take_access(s, error->instance, error->object);
	default: return false;
	}
}

/* ------ in words ------ */

/* One look at the run right after an instance, or where it died. */
struct look {
	struct watch watch;
	struct origin_search *s;
	uint32_t instance;
	void (*take)(struct look *look, const struct describe_scope *scope);
	struct str *out;
};

static void reach(struct look *l)
{
	LLVMValueRef i = execution_instruction(l->s->whole, l->instance);
	struct describe_scope scope = {.names = l->watch.names, .a = execution_top(l->watch.e, 0)};

	if (!scope.a || !scope.a->pc ||
	    scope.a->function->plan->function !=
	            LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)))
		scope.a = NULL;
	if (scope.a)
		describe_stand_at(l->watch.names, l->watch.e);
	l->take(l, &scope);
	names_at(l->watch.names, 0, 0, 0, 0);
	l->take = NULL;
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct look *l = (struct look *)watch;

	if (!l->take || describe_instance(watch->e) < l->instance)
		return;
	reach(l);
	watch_halt(watch);
}

static struct hence_error *finish(struct watch *watch)
{
	struct look *l = (struct look *)watch;

	if (l->take)
		reach(l);
	return NULL;
}

static struct hence_error *
look_at(struct origin_search *s, uint32_t instance,
        void (*take)(struct look *look, const struct describe_scope *scope), struct str *out)
{
	struct criterion unused GUARD(criterion_deinit) = {0};
	struct look l = {.watch = {.run = s->run,
	                           .until = s->until,
	                           .statement = on_statement,
	                           .finish = finish,
	                           .out = &unused},
	                 .s = s,
	                 .instance = instance,
	                 .take = take,
	                 .out = out};
	struct hence_error *error = watch_ask(&l.watch);

	if (!error)
		watch_want(&l.watch, history_statement(s->run, instance));
	return error ? error : watch_run(&l.watch);
}

/* The bad value where it is used: `e`, `s->count`. */
static void take_name(struct look *l, const struct describe_scope *scope)
{
	if (scope->a)
		describe_expression(scope, l->s->value, l->out);
}

/* The branch that led to where it was made. */
static void take_branch(struct look *l, const struct describe_scope *scope)
{
	struct described d = {0};

	if (scope->a)
		describe_statement(l->watch.names, l->watch.e, false, &d);
	if (d.kind == DESCRIBED_BRANCH)
		str_add(l->out, str_text(&d.text));
	described_deinit(&d);
}

static struct explanation_place place_of(const struct origin_search *s, uint32_t instance)
{
	const struct walk_place place =
		execution_place(s->whole, execution_code(s->whole, instance));

	return explain_place(s->sources, place.file, place.line, place.column, place.function);
}

/* The variable or block that the value lay in. */
static void take_object(struct look *l, const struct describe_scope *scope)
{
	struct explanation_origin *out = l->s->out;
	uint32_t number = execution_object_at(l->watch.e, l->s->address);
	LLVMValueRef i = execution_instruction(l->s->whole, l->instance);
	const struct walk_place *place;
	struct names_object object;
	struct name name = {0};

	if (scope->a && LLVMIsALoadInst(i))
		describe_load(scope, i, &name);
	if (name.known)
		str_add(l->out, str_text(&name.text));
	name_deinit(&name);
	if (!number)
		return;
	names_object(l->watch.names, number, &object);
	if (!l->out->length && object.name)
		str_add(l->out, object.name);
	place = object.allocated.file ? &object.allocated : &object.declared;
	if (!place->file)
		return;
	explanation_place_deinit(&out->at);
	out->at = explain_place(l->s->sources, place->file, place->line, place->column,
	                        place->function);
}

static void add_place(const struct explanation_place *place, struct str *out)
{
	const char *line = place->source;
	size_t length;

	if (place->file)
		str_printf(out, " at %s:%u", place->file, place->line);
	while (line && isspace((unsigned char)*line))
		line++;
	length = line ? strlen(line) : 0;
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	if (!length)
		return;
	str_add(out, ": ");
	str_add_bytes(out, line, length < LONGEST_LINE ? length : LONGEST_LINE);
	if (length > LONGEST_LINE)
		str_add(out, "...");
}

static void add_value(LLVMTypeRef type, uint64_t bits, struct str *out)
{
	unsigned width =
		LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;

	if (width && width <= 64)
		str_printf(out, "%lld",
		           (long long)((int64_t)(bits << (64 - width)) >> (64 - width)));
	else if (bits)
		str_printf(out, "%#llx", (unsigned long long)bits);
	else
		str_add(out, "NULL");
}

/* 'getopt_long() = -1', of outside code. */
static void add_call(const struct origin_search *s, struct str *out)
{
	const struct code_call *call = execution_insn(s->whole, s->maker)->more;
	LLVMTypeRef type = LLVMTypeOf(execution_instruction(s->whole, s->maker));
	uint32_t source = execution_source(s->whole, s->maker);
	const struct execution_group *group =
		source & EXECUTION_GROUP ? execution_group(s->whole, source) : NULL;
	const char *name =
		group && group->call ? execution_call(s->whole, group->call)->name : call->name;

	str_printf(out, ", from %s()", name ? name : "a function");
	if (!s->itself && LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
		str_add(out, " = ");
		add_value(type, execution_value(s->whole, s->maker), out);
	}
}

/* ', since e != NULL is false at list.c:26': the branch in the same function that led to it. */
static struct hence_error *add_since(struct origin_search *s, struct str *out)
{
	const struct execution_segment *segment = execution_segment(s->whole, s->maker);
	struct explanation_place at = {0};
	struct str text GUARD(str_deinit) = STR_INIT;
	struct hence_error *error;

	if (s->kind != ORIGIN_CONSTANT || s->passed || !is_kept(s, segment->parent) ||
	    execution_insn(s->whole, segment->parent)->op != CODE_BRANCH ||
	    execution_segment(s->whole, segment->parent)->frame != segment->frame)
		return NULL;
	error = look_at(s, segment->parent, take_branch, &text);
	if (text.length) {
		at = place_of(s, segment->parent);
		str_printf(out, " (since %s", str_text(&text));
		if (at.file)
			str_printf(out, " at %s:%u", at.file, at.line);
		str_add_char(out, ')');
		explanation_place_deinit(&at);
	}
	return error;
}

static struct hence_error *describe(struct origin_search *s)
{
	struct explanation_origin *o = s->out;
	struct str name GUARD(str_deinit) = STR_INIT, text = STR_INIT;
	struct str value GUARD(str_deinit) = STR_INIT, lay GUARD(str_deinit) = STR_INIT;
	struct hence_error *error = NULL;
	bool lies = s->kind == ORIGIN_INITIAL || s->kind == ORIGIN_UNINITIALISED;
	bool returned = s->kind == ORIGIN_CONSTANT && !s->passed &&
	                s->returned_from == execution_segment(s->whole, s->maker)->frame;
	bool result = false; /* it is named by the call that returned it: get() returned NULL */

	o->at = place_of(s, s->maker);
	o->time = history_statement(s->run, s->maker);
	if (lies)
		error = look_at(s, s->maker, take_object, &lay);
	if (!error && s->value)
		error = look_at(s, s->user, take_name, &name);
	if (error)
		return error;
	if (s->value)
		add_value(LLVMTypeOf(s->value), s->bits, &value);
	if (!name.length)
		str_add(&name, lay.length ? str_text(&lay) : "a value");
	str_add(&text, str_text(&name));
	if (s->kind == ORIGIN_UNINITIALISED) {
		struct explanation_place read = place_of(s, s->maker);

		if (value.length && lay.length && strcmp(str_text(&lay), str_text(&name)))
			str_printf(&text, " is %s, from %s, which", str_text(&value),
			           str_text(&lay));
		str_add(&text, " was never initialised; it is read");
		add_place(&read, &text);
		explanation_place_deinit(&read);
	} else {
		char *call = str_format("%s()", returned ? o->at.function : "");

		result = !strcmp(call, str_text(&name));
		str_printf(&text, result ? " returned %s" : " is %s", str_text(&value));
		free(call);
	}
	switch (s->kind) {
	case ORIGIN_CONSTANT:
		if (s->passed)
			str_add(&text, ", passed");
		else if (returned && !result)
			str_printf(&text, ", returned by %s()", o->at.function);
		else if (!returned)
			str_add(&text, ", set");
		break;
	case ORIGIN_COMPUTED: str_add(&text, ", computed"); break;
	case ORIGIN_CALL: add_call(s, &text); break;
	case ORIGIN_INITIAL:
		str_printf(&text, ", the initial value of %s",
		           lay.length ? str_text(&lay) : "a variable");
		break;
	default: break;
	}
	if (s->kind != ORIGIN_UNINITIALISED)
		add_place(&o->at, &text);
	error = add_since(s, &text);
	o->kind = origin_kinds[s->kind];
	o->name = str_steal(&name);
	o->value = value.length ? str_steal(&value) : NULL;
	o->words = str_steal(&text);
	return error;
}

/* ------ all ------ */

struct hence_error *origin_find(const struct recording *run, const struct outcome *outcome,
                                double until, struct explanation_origin *out)
{
	struct explanation_origin found = {0};
	struct origin_search s = {.run = run, .until = until, .out = &found};
	struct criterion c GUARD(criterion_deinit) = {0};
	struct hence_error *error = history_whole(run, &s.whole);
	bool any;

	if (!error && s.whole && outcome)
		error = criterion_of_failure(run, outcome, until, &c);
	if (error || !s.whole)
		return error;
	if (outcome)
		any = c.kind == CRITERION_CRASH && c.marks.size && is_kept(&s, c.marks.at[0]) &&
		      take_fault(&s, c.marks.at[0]);
	else
		any = take_error(&s);
	if (any && s.undefined)
		follow_undefined(&s);
	else if (any)
		follow(&s);
	if (!s.kind)
		return NULL;
	/* Without them there is no text of lines. */
	error_destroy(explain_sources_create(run, NULL, &s.sources));
	error = describe(&s);
	explain_sources_destroy(s.sources);
	if (error)
		explanation_origin_deinit(&found);
	else
		*out = found;
	return error;
}

/* --- as a step and a suspect --- */

static bool is_at(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

/* 'i is 5', 'dir is NULL, from getenv()': the words without the place. Caller frees. */
static char *short_words(const struct explanation_origin *o)
{
	static const char *const told[] = {", computed", ", set", ", passed"};
	char *place = str_format(" at %s:%u", o->at.file ? o->at.file : "", o->at.line);
	const char *end = strcmp(o->kind, origin_kinds[ORIGIN_UNINITIALISED])
	                          ? strstr(o->words, place)
	                          : strstr(o->words, "; it is read");
	size_t length = end ? (size_t)(end - o->words) : strlen(o->words);

	free(place);
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
		size_t more = strlen(told[i]);

		if (length > more && !strncmp(o->words + length - more, told[i], more))
			length -= more;
	}
	return str_format("%.*s", (int)length, o->words);
}

/* As the first step, or the last one before the failure, whichever the order of time allows; not where the chain names the line. The steps
   between which it would stand otherwise follow from each other, and not from it. */
static void add_step(struct explanation *e)
{
	const struct explanation_origin *o = &e->origin;
	struct explanation_step step = {
		.kind = EXPLANATION_VALUE, .observed = true, .apart = true, .time = o->time};
	uint32_t last = e->steps.size - 1, at = last;

	if (!e->steps.size || !e->steps.at[last].observed || !o->at.file)
		return;
	/* What was there from the beginning is no step of a chain that says why it stayed so. */
	if (last && !strcmp(o->kind, origin_kinds[ORIGIN_INITIAL]))
		return;
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (is_at(&e->steps.at[i].at, &o->at) || is_at(&e->steps.at[i].cause, &o->at))
			return;
	while (at && e->steps.at[at - 1].time > o->time)
		at--;
	if (at && at < last)
		return;
	if (at < last)
		e->steps.at[at].apart = true;
	step.apart = at;
	step.what = short_words(o);
	step.at = explain_copy_place(&o->at);
	vec_push(&e->steps);
	memmove(&e->steps.at[at + 1], &e->steps.at[at], (e->steps.size - 1 - at) * sizeof(step));
	e->steps.at[at] = step;
}

void origin_report(struct explanation *e)
{
	const struct explanation_origin *o = &e->origin;
	char *words;

	if (!o->kind)
		return;
	words = short_words(o);
	suspects_add(e, &o->at, e->memory_error.kind ? SUSPECT_MEMORY_ORIGIN : SUSPECT_CRASH_ORIGIN,
	             strcmp(o->kind, origin_kinds[ORIGIN_INITIAL]) ? 1 : INITIAL,
	             str_format("the bad value was made here: %s", words));
	suspects_settle(e);
	add_step(e);
	free(words);
}
