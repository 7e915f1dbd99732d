/*
 * Expressions of models, by precedence: || && comparison + - * and the unary ones. Postfix code is
 * emitted as they are read. Whatever stands in old(...) becomes an expression of its own that is
 * evaluated before the call.
 */
#include "outside/parser.h"

#include "outside/globals.h"

static bool parse_or(struct parser *p);
static bool parse_unary(struct parser *p);

/* Appends an instruction; `change` is what it does to the number of values held. */
static bool emit(struct parser *p, uint32_t op, int32_t value, int change)
{
	struct outside_insn *insn = vec_push(&p->code);

	insn->op = op;
	insn->value = value;
	p->depth += (uint32_t)change;
	if (p->depth > OUTSIDE_STACK)
		return parser_fail(p, &p->word, "the expression is too deep");
	return true;
}

static uint32_t store(struct parser *p, uint32_t start)
{
	uint32_t code = p->models->insns.size;

	for (uint32_t i = start; i < p->code.size; i++)
		*vec_push(&p->models->insns) = p->code.at[i];
	vec_push(&p->models->insns);
	p->code.size = start;
	return code;
}

/* Is this clause one that the runtime acts on? */
static bool is_active(const struct parser *p)
{
	return p->kind < OUTSIDE_ACTIVE_KINDS;
}

static bool parse_old(struct parser *p, const struct word *at)
{
	uint32_t start = p->code.size, depth = p->depth, k = p->function.old_count;

	if (p->in_old)
		return parser_fail(p, at, "old() inside old()");
	if (k == OUTSIDE_OLDS)
		return parser_fail(p, at, "more than %u old() in one model", OUTSIDE_OLDS);
	p->in_old = true;
	p->depth = 0;
	if (!parse_or(p) || !parser_expect(p, ")"))
		return false;
	p->in_old = false;
	p->depth = depth;
	p->function.olds[k] = store(p, start);
	p->function.old_count++;
	if (is_active(p))
		p->function.old_active |= (uint16_t)(1u << k);
	return emit(p, OUTSIDE_OLD, (int32_t)k, 1);
}

struct function_word {
	const char *name;
	uint32_t op;
	int32_t value;
};

static bool parse_call(struct parser *p, const struct word *name)
{
	static const struct function_word functions[] = {
		{"byte", OUTSIDE_LOAD, 1},     {"short", OUTSIDE_LOAD, 2},
		{"int", OUTSIDE_LOAD, 4},      {"long", OUTSIDE_LOAD, 8},
		{"strlen", OUTSIDE_STRLEN, 0}, {"wcslen", OUTSIDE_WCSLEN, 0},
		{"size", OUTSIDE_SIZE, 0},     {"strnlen", OUTSIDE_STRNLEN, 0},
		{"min", OUTSIDE_MIN, 0},       {"max", OUTSIDE_MAX, 0},
	};

	if (word_is(name, "old"))
		return parse_old(p, name);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		const struct function_word *f = &functions[i];
		bool two = f->op >= OUTSIDE_UNARIES;

		if (!word_is(name, f->name))
			continue;
		if (!parse_or(p) || (two && (!parser_expect(p, ",") || !parse_or(p))))
			return false;
		return parser_expect(p, ")") && emit(p, f->op, f->value, two ? -1 : 0);
	}
	return parser_fail(p, name,
	                   "unknown function '%.*s'; there are old, strlen, strnlen, wcslen, size, "
	                   "min, max, byte, short, int and long",
	                   (int)name->length, name->text);
}

/* Names that only have a meaning after the call. */
static bool parse_special(struct parser *p, const struct word *word, uint32_t op)
{
	if (p->in_old)
		return parser_fail(p, word, "'%.*s' is not known before the call: not in old()",
		                   (int)word->length, word->text);
	if (op == OUTSIDE_CONSUMED && p->kind != OUTSIDE_CONSUMES)
		return parser_fail(p, word, "'consumed' has a meaning only in 'consumes'");
	return emit(p, op, 0, 1);
}

static bool parse_name(struct parser *p)
{
	struct word word = p->word;
	int param = parser_param(p, &word);
	bool call = lexer_sees(&p->lexer, '(');

	parser_advance(p);
	if (call) {
		parser_advance(p);
		return parse_call(p, &word);
	}
	if (param >= 0) {
		if (!p->argument)
			p->argument = (uint16_t)(param + 1);
		return emit(p, OUTSIDE_ARG, param, 1);
	}
	if (word_is(&word, "ret"))
		return parse_special(p, &word, OUTSIDE_RET);
	if (word_is(&word, "consumed"))
		return parse_special(p, &word, OUTSIDE_CONSUMED);
	if (word_is(&word, "errorlen"))
		return emit(p, OUTSIDE_ERRORLEN, 0, 1);
	return parser_fail(p, &word, "unknown name '%.*s': not a parameter and not 'ret'",
	                   (int)word.length, word.text);
}

static bool parse_global(struct parser *p)
{
	int global = outside_global_find(p->word.text, p->word.length);

	if (p->word.kind != WORD_NAME || global < 0)
		return parser_expected(p, "a variable of libc (optarg, optind, opterr, optopt, "
		                          "environ, timezone, daylight, tzname) after '&'");
	parser_advance(p);
	return emit(p, OUTSIDE_GLOBAL, global, 1);
}

static bool parse_primary(struct parser *p)
{
	if (p->word.kind == WORD_NUMBER) {
		int32_t number = p->word.number;

		parser_advance(p);
		return emit(p, OUTSIDE_CONST, number, 1);
	}
	if (parser_accept(p, "("))
		return parse_or(p) && parser_expect(p, ")");
	if (parser_accept(p, "&"))
		return parse_global(p);
	if (p->word.kind == WORD_NAME)
		return parse_name(p);
	return parser_expected(p, "an expression");
}

static bool parse_signed(struct parser *p)
{
	static const struct function_word signs[] = {
		{"*", OUTSIDE_LOAD, 8}, {"!", OUTSIDE_NOT, 0}, {"-", OUTSIDE_NEGATE, 0}};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (parser_accept(p, signs[i].name))
			return parse_unary(p) && emit(p, signs[i].op, signs[i].value, 0);
	}
	return parse_primary(p);
}

/* Every recursion of the parser comes through here. */
static bool parse_unary(struct parser *p)
{
	bool good;

	if (++p->nesting > 100)
		return parser_fail(p, &p->word, "the expression is too deep");
	good = parse_signed(p);
	p->nesting--;
	return good;
}

static bool parse_product(struct parser *p)
{
	if (!parse_unary(p))
		return false;
	while (parser_accept(p, "*")) {
		if (!parse_unary(p) || !emit(p, OUTSIDE_MUL, 0, -1))
			return false;
	}
	return !p->error;
}

static bool parse_sum(struct parser *p)
{
	if (!parse_product(p))
		return false;
	for (;;) {
		bool add = parser_accept(p, "+");

		if (!add && !parser_accept(p, "-"))
			return !p->error;
		if (!parse_product(p) || !emit(p, add ? OUTSIDE_ADD : OUTSIDE_SUB, 0, -1))
			return false;
	}
}

static bool parse_comparison(struct parser *p)
{
	static const struct function_word signs[] = {{"==", OUTSIDE_EQ, 0}, {"!=", OUTSIDE_NE, 0},
	                                             {"<=", OUTSIDE_LE, 0}, {">=", OUTSIDE_GE, 0},
	                                             {"<", OUTSIDE_LT, 0},  {">", OUTSIDE_GT, 0}};

	if (!parse_sum(p))
		return false;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (parser_accept(p, signs[i].name))
			return parse_sum(p) && emit(p, signs[i].op, 0, -1);
	}
	return !p->error;
}

static bool parse_and(struct parser *p)
{
	if (!parse_comparison(p))
		return false;
	while (parser_accept(p, "&&")) {
		if (!parse_comparison(p) || !emit(p, OUTSIDE_AND, 0, -1))
			return false;
	}
	return !p->error;
}

static bool parse_or(struct parser *p)
{
	if (!parse_and(p))
		return false;
	while (parser_accept(p, "||")) {
		if (!parse_and(p) || !emit(p, OUTSIDE_OR, 0, -1))
			return false;
	}
	return !p->error;
}

static void start(struct parser *p)
{
	p->code.size = 0;
	p->depth = 0;
	p->argument = 0;
	p->in_old = false;
	p->nesting = 0;
}

bool parser_expression(struct parser *p, uint32_t *code)
{
	start(p);
	if (!parse_or(p))
		return false;
	*code = store(p, 0);
	return true;
}

bool parser_address(struct parser *p, uint32_t *code, uint16_t *argument)
{
	start(p);
	if (!parse_unary(p))
		return false;
	*code = store(p, 0);
	*argument = p->argument;
	return true;
}
