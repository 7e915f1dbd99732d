/*
 * The parser of .model files (docs/models.md): words; expressions, which are lengths, addresses and conditions; clauses;
 * entries.
 *
 * The first error is kept in parser->error; from then on every function returns false and reads no
 * further.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "outside/models.h"
#include "runtime/outside_table.h"

enum word_kind {
	WORD_END,
	WORD_NAME,
	WORD_NUMBER,
	WORD_SIGN, /* one of ( ) [ ] , ; : * + - & ! < > .. ... == != <= >= && || */
	WORD_BAD,  /* a character that has no place in the language */
	WORD_HUGE, /* a number that does not fit in 31 bits */
};

struct word {
	enum word_kind kind;
	const char *text;
	uint32_t length;
	int32_t number;
	uint32_t line, column; /* from 1 */
	bool first;            /* on its line */
};

struct lexer {
	const char *at, *end;
	const char *line_start;
	uint32_t line;
	bool fresh; /* nothing but space so far on this line */
};

struct parser {
	struct outside_models *models;
	const char *file;
	struct lexer lexer;
	struct word word; /* the one that is looked at */
	struct hence_error *error;

	/* The entry being read. */
	VEC(struct word) names;
	struct outside_function function;
	struct word params[OUTSIDE_PARAMS];
	VEC(struct outside_clause) active, passive;

	/* The clause and the expression being read. */
	uint8_t kind; /* enum outside_clause_kind */
	VEC(struct outside_clause) sources;
	bool in_old;
	VEC(struct outside_insn) code;
	uint32_t depth;    /* values on the evaluator's stack */
	uint32_t nesting;  /* of the parser itself */
	uint16_t argument; /* 1 + first parameter met */
};

/* ------ words ------ */

/* True when the word is exactly this text. */
static bool word_is(const struct word *word, const char *text)
{
	size_t length = strlen(text);

	return (word->kind == WORD_NAME || word->kind == WORD_SIGN) && word->length == length &&
	       !memcmp(word->text, text, length);
}

static void skip_space(struct lexer *lexer)
{
	for (; lexer->at < lexer->end; lexer->at++) {
		if (*lexer->at == '\n') {
			lexer->line++;
			lexer->line_start = lexer->at + 1;
			lexer->fresh = true;
		} else if (*lexer->at == '#') {
			while (lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
				lexer->at++;
		} else if (!isspace((unsigned char)*lexer->at)) {
			return;
		}
	}
}

/* True when the next character that is not a space is `c`. */
static bool lexer_sees(const struct lexer *lexer, char c)
{
	struct lexer ahead = *lexer;

	skip_space(&ahead);
	return ahead.at < ahead.end && *ahead.at == c;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void read_sign(struct lexer *lexer, struct word *word)
{
	static const char *const signs[] = {"...", "..", "==", "!=", "<=", ">=", "&&", "||",
	                                    "(",   ")",  "[",  "]",  ",",  ";",  ":",  "*",
	                                    "+",   "-",  "&",  "!",  "<",  ">"};
	size_t left = (size_t)(lexer->end - lexer->at);

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		size_t length = strlen(signs[i]);

		if (length <= left && !memcmp(lexer->at, signs[i], length)) {
			word->kind = WORD_SIGN;
			lexer->at += length;
			return;
		}
	}
	word->kind = WORD_BAD;
	lexer->at++;
}

/* The next word; WORD_END for ever at the end. Comments run from # to the end of the line. */
static struct word lexer_next(struct lexer *lexer)
{
	struct word word = {0};

	skip_space(lexer);
	word.text = lexer->at;
	word.line = lexer->line;
	word.column = (uint32_t)(lexer->at - lexer->line_start) + 1;
	word.first = lexer->fresh;
	lexer->fresh = false;
	if (lexer->at == lexer->end)
		return word;
	if (isdigit((unsigned char)*lexer->at)) {
		int64_t number = 0;

		word.kind = WORD_NUMBER;
		for (; lexer->at < lexer->end && is_name(*lexer->at); lexer->at++) {
			if (!isdigit((unsigned char)*lexer->at))
				word.kind = WORD_BAD;
			else if (number <= INT32_MAX)
				number = number * 10 + (*lexer->at - '0');
		}
		if (word.kind == WORD_NUMBER && number > INT32_MAX)
			word.kind = WORD_HUGE;
		word.number = word.kind == WORD_NUMBER ? (int32_t)number : 0;
	} else if (is_name(*lexer->at)) {
		word.kind = WORD_NAME;
		while (lexer->at < lexer->end && is_name(*lexer->at))
			lexer->at++;
	} else
		read_sign(lexer, &word);
	word.length = (uint32_t)(lexer->at - word.text);
	return word;
}

/* ------ errors, and taking words ------ */

/* Sets the error 'FILE:LINE:COLUMN: TEXT' at the word; always false. */
static bool parser_fail(struct parser *p, const struct word *at, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	if (p->error)
		return false;
	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	p->error = error_create(HENCE_ERROR_INPUT, "%s:%u:%u: %s", p->file, at->line, at->column,
	                        str_text(&text));
	str_deinit(&text);
	return false;
}

/* Sets the error 'expected WHAT, found WORD' at the present word; always false. */
static bool parser_expected(struct parser *p, const char *what)
{
	const struct word *word = &p->word;

	if (word->kind == WORD_END)
		return parser_fail(p, word, "expected %s, found the end of the file", what);
	if (word->kind == WORD_HUGE)
		return parser_fail(p, word, "the number %.*s is too large", (int)word->length,
		                   word->text);
	return parser_fail(p, word, "expected %s, found '%.*s'", what, (int)word->length,
	                   word->text);
}

static void parser_advance(struct parser *p)
{
	p->word = lexer_next(&p->lexer);
}

/* Takes the word if it is this one. */
static bool parser_accept(struct parser *p, const char *text)
{
	if (p->error || !word_is(&p->word, text))
		return false;
	parser_advance(p);
	return true;
}

/* The same, and an error if it is not. */
static bool parser_expect(struct parser *p, const char *text)
{
	char what[16] = "'";

	if (parser_accept(p, text))
		return true;
	strncat(what, text, sizeof(what) - 3);
	strcat(what, "'");
	return parser_expected(p, what);
}

/* Index of the parameter that the word names; -1: none. */
static int parser_param(const struct parser *p, const struct word *word)
{
	for (uint32_t i = 0; i < p->function.params; i++) {
		const struct word *param = &p->params[i];

		if (word->kind == WORD_NAME && param->length == word->length &&
		    !memcmp(param->text, word->text, word->length))
			return (int)i;
	}
	return -1;
}

/* ------ names of libc variables ------ */

/* The enum outside_global of that name; -1: none. */
static int outside_global_find(const char *name, size_t length)
{
	static const char *const names[OUTSIDE_GLOBALS] = {
		[OUTSIDE_STDIN] = "stdin",
		[OUTSIDE_STDOUT] = "stdout",
		[OUTSIDE_STDERR] = "stderr",
		[OUTSIDE_OPTARG] = "optarg",
		[OUTSIDE_OPTIND] = "optind",
		[OUTSIDE_OPTERR] = "opterr",
		[OUTSIDE_OPTOPT] = "optopt",
		[OUTSIDE_ENVIRON] = "environ",
		[OUTSIDE_TIMEZONE] = "timezone",
		[OUTSIDE_DAYLIGHT] = "daylight",
		[OUTSIDE_TZNAME] = "tzname",
		[OUTSIDE_CTYPE] = "ctype",
		[OUTSIDE_CTYPE_LOWER] = "ctype_lower",
		[OUTSIDE_CTYPE_UPPER] = "ctype_upper",
	};

	for (int i = 0; i < OUTSIDE_GLOBALS; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return i;
	return -1;
}

/* ------ expressions, by precedence: || && comparison + - * and the unary ones ------ */

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
	/* Is this clause one that the runtime acts on? */
	if (p->kind < OUTSIDE_ACTIVE_KINDS)
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
	if (p->word.kind == WORD_NAME) {
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

/* Reads an expression (with comparisons, && and ||) and gives its code. */
static bool parser_expression(struct parser *p, uint32_t *code)
{
	start(p);
	if (!parse_or(p))
		return false;
	*code = store(p, 0);
	return true;
}

/* Reads an expression that needs no parentheses: an address. Sets *argument to 1 + the first
   parameter in it, 0 if none. */
static bool parser_address(struct parser *p, uint32_t *code, uint16_t *argument)
{
	start(p);
	if (!parse_unary(p))
		return false;
	*code = store(p, 0);
	*argument = p->argument;
	return true;
}

/* ------ what clauses are about: regions of memory, and streams ------ */

/* NAME(IOV, COUNT)[LENGTH] */
static bool parse_vectors(struct parser *p, struct outside_clause *clause)
{
	parser_advance(p);
	parser_advance(p);
	clause->region = OUTSIDE_VECTORS;
	return parser_address(p, &clause->at, &clause->argument) && parser_expect(p, ",") &&
	       parser_expression(p, &clause->from) && parser_expect(p, ")") &&
	       parser_expect(p, "[") && parser_expression(p, &clause->to) && parser_expect(p, "]");
}

static bool parse_string_end(struct parser *p, struct outside_clause *clause)
{
	if (parser_accept(p, "nul"))
		clause->region = OUTSIDE_STRING;
	else if (parser_accept(p, "wnul"))
		clause->region = OUTSIDE_WSTRING;
	else
		return parser_expected(p, "'nul' or 'wnul'");
	return parser_expect(p, "]");
}

/* What stands behind the address: [LENGTH], [FROM .. TO] or [..nul] */
static bool parser_extent(struct parser *p, struct outside_clause *clause)
{
	if (!parser_expect(p, "["))
		return false;
	if (parser_accept(p, ".."))
		return parse_string_end(p, clause);
	clause->region = OUTSIDE_BYTES;
	if (!parser_expression(p, &clause->to))
		return false;
	if (parser_accept(p, "..")) {
		clause->from = clause->to;
		if (!parser_expression(p, &clause->to))
			return false;
	}
	return parser_expect(p, "]");
}

/* Reads ADDRESS[LENGTH], ADDRESS[FROM .. TO], ADDRESS[..nul] or vectors(IOV, COUNT)[LENGTH]. */
static bool parser_region(struct parser *p, struct outside_clause *clause)
{
	if (word_is(&p->word, "vectors") && lexer_sees(&p->lexer, '('))
		return parse_vectors(p, clause);
	return parser_address(p, &clause->at, &clause->argument) && parser_extent(p, clause);
}

/* flags(OPTIONS) */
static bool parse_flags(struct parser *p, struct outside_clause *clause)
{
	parser_advance(p);
	parser_advance(p);
	clause->region = OUTSIDE_FLAGS;
	return parser_address(p, &clause->at, &clause->argument) && parser_expect(p, ")");
}

/* The same or flags(OPTIONS), for what is only written. */
static bool parser_target(struct parser *p, struct outside_clause *clause)
{
	if (word_is(&p->word, "flags") && lexer_sees(&p->lexer, '('))
		return parse_flags(p, clause);
	return parser_region(p, clause);
}

static bool parse_standard_stream(struct parser *p, struct outside_clause *clause)
{
	static const char *const names[] = {"stdin", "stdout", "stderr"};

	for (int32_t i = 0; i < 3; i++) {
		if (!parser_accept(p, names[i]))
			continue;
		clause->stream_kind = OUTSIDE_FILE;
		clause->stream = p->models->insns.size;
		*vec_push(&p->models->insns) =
			(struct outside_insn){OUTSIDE_GLOBAL, OUTSIDE_STDIN + i};
		*vec_push(&p->models->insns) = (struct outside_insn){OUTSIDE_LOAD, 8};
		vec_push(&p->models->insns);
		return true;
	}
	return parser_expected(p,
	                       "a stream: 'file X', 'fd X', stdin, stdout, stderr or environment");
}

/* Reads a stream: file X, fd X, stdin, stdout, stderr or environment. */
static bool parser_stream(struct parser *p, struct outside_clause *clause)
{
	bool file = word_is(&p->word, "file");

	if (parser_accept(p, "environment")) {
		clause->stream_kind = OUTSIDE_ENVIRONMENT;
		return true;
	}
	if (!file && !word_is(&p->word, "fd"))
		return parse_standard_stream(p, clause);
	parser_advance(p);
	clause->stream_kind = file ? OUTSIDE_FILE : OUTSIDE_FD;
	return parser_address(p, &clause->stream, &clause->argument);
}

/* ------ clauses: a verb, what it is about, and when ------ */

#define CLAUSE_LIMIT 1000u /* rows are counted in 16 bits; no sane model comes near */

struct verb {
	const char *name;
	uint8_t kind; /* enum outside_clause_kind */
	bool (*parse)(struct parser *p, struct outside_clause *clause);
};

/* Adds a row to the entry. Rows are pushed when complete: their order is that of the file. */
static void push(struct parser *p, const struct outside_clause *clause)
{
	if (p->kind < OUTSIDE_ACTIVE_KINDS)
		*vec_push(&p->active) = *clause;
	else
		*vec_push(&p->passive) = *clause;
}

static bool push_source(struct parser *p, struct outside_clause *clause,
                        const struct outside_clause *source)
{
	if (clause->sources == CLAUSE_LIMIT)
		return parser_fail(p, &p->word, "too many regions in one clause");
	*vec_push(&p->sources) = *source;
	clause->sources++;
	return true;
}

/* Sources are collected behind the clause they belong to, which is pushed with them. */
static bool parse_sources(struct parser *p, struct outside_clause *clause)
{
	do {
		struct outside_clause source = {.kind = OUTSIDE_SOURCE};

		if (!parser_region(p, &source) || !push_source(p, clause, &source))
			return false;
	} while (parser_accept(p, ","));
	return true;
}

static bool parse_reads(struct parser *p, struct outside_clause *clause)
{
	while (parser_region(p, clause)) {
		if (!parser_accept(p, ","))
			return !p->error;
		push(p, clause);
		*clause = (struct outside_clause){.kind = OUTSIDE_READS};
	}
	return false;
}

static bool parse_writes(struct parser *p, struct outside_clause *clause)
{
	if (!parser_target(p, clause))
		return false;
	return !p->error && (!parser_accept(p, "from") || parse_sources(p, clause));
}

static bool parse_copies(struct parser *p, struct outside_clause *clause)
{
	struct outside_clause source = {.kind = OUTSIDE_SOURCE};

	if (!parser_region(p, clause) || !parser_expect(p, "from") ||
	    !parser_address(p, &source.at, &source.argument))
		return false;
	source.region = clause->region;
	if (clause->region != OUTSIDE_BYTES)
		return parser_fail(p, &p->word,
		                   "'copies' needs a length: [LENGTH] or [FROM .. TO]");
	/* The same extent as the target, from its own address on. */
	source.to = clause->to;
	source.from = clause->from;
	return push_source(p, clause, &source);
}

static bool parse_fills(struct parser *p, struct outside_clause *clause)
{
	return parser_region(p, clause) && parser_expect(p, "with") &&
	       parser_expression(p, &clause->extra);
}

static bool parse_permutes(struct parser *p, struct outside_clause *clause)
{
	return parser_region(p, clause) && parser_expect(p, "by") &&
	       parser_expression(p, &clause->extra);
}

static bool parse_returns(struct parser *p, struct outside_clause *clause)
{
	if (word_is(&p->word, "static") && parser_param(p, &p->word) < 0) {
		parser_advance(p);
		p->function.flags |= OUTSIDE_STATIC;
		clause->kind = OUTSIDE_CLAUSE_KINDS;
		return true;
	}
	if (word_is(&p->word, "into") && parser_param(p, &p->word) < 0) {
		parser_advance(p);
		clause->kind = OUTSIDE_RETURNS_INTO;
		return parser_address(p, &clause->at, &clause->argument);
	}
	if (!parser_expression(p, &clause->at))
		return false;
	clause->argument = p->argument;
	return true;
}

/* FORMAT, ...   or   FORMAT, VA_LIST */
static bool parse_format(struct parser *p, struct outside_clause *clause)
{
	int list;

	if (!parser_address(p, &clause->at, &clause->argument) || !parser_expect(p, ","))
		return false;
	clause->extra = OUTSIDE_FORM;
	if (word_is(&p->word, "...")) {
		if (!(p->function.flags & OUTSIDE_VARIADIC))
			return parser_fail(p, &p->word, "the function has no '...'");
		parser_advance(p);
		return true;
	}
	list = parser_param(p, &p->word);
	if (list < 0)
		return parser_expected(p, "'...' or the parameter that is a va_list");
	clause->extra = (uint32_t)list;
	parser_advance(p);
	return true;
}

static bool parse_scans(struct parser *p, struct outside_clause *clause)
{
	if (!parse_format(p, clause) || !parser_expect(p, "from"))
		return false;
	if (word_is(&p->word, "file") || word_is(&p->word, "stdin"))
		return parser_stream(p, clause);
	return parse_sources(p, clause);
}

static bool clause_ends(const struct parser *p)
{
	return p->word.first || p->word.kind == WORD_END || word_is(&p->word, ";") ||
	       word_is(&p->word, "when");
}

/* consumes STREAM [LENGTH bytes] [at OFFSET] [into REGION | into ret] */
static bool parse_consumes(struct parser *p, struct outside_clause *clause)
{
	if (!parser_stream(p, clause))
		return false;
	if (!word_is(&p->word, "at") && !word_is(&p->word, "into") && !clause_ends(p) &&
	    (!parser_expression(p, &clause->count) || !parser_expect(p, "bytes")))
		return false;
	if (parser_accept(p, "at") && !parser_expression(p, &clause->extra))
		return false;
	if (p->error || !parser_accept(p, "into"))
		return !p->error;
	if (word_is(&p->word, "ret") && !lexer_sees(&p->lexer, '[')) {
		parser_advance(p);
		clause->region = OUTSIDE_RESULT;
		return true;
	}
	return parser_region(p, clause);
}

/* produces STREAM from REGION | produces STREAM LENGTH bytes | produces STREAM */
static bool parse_produces(struct parser *p, struct outside_clause *clause)
{
	if (!parser_stream(p, clause))
		return false;
	if (clause->stream_kind == OUTSIDE_ENVIRONMENT)
		return parser_fail(p, &p->word, "nothing can be produced to the environment");
	if (parser_accept(p, "from"))
		return parser_region(p, clause);
	if (clause_ends(p))
		return !p->error;
	return parser_expression(p, &clause->to) && parser_expect(p, "bytes");
}

static bool parse_allocates(struct parser *p, struct outside_clause *clause)
{
	if (!parser_region(p, clause))
		return false;
	if (parser_accept(p, "zeroed"))
		clause->flags |= OUTSIDE_ZEROED;
	return !p->error;
}

static bool parse_one_address(struct parser *p, struct outside_clause *clause)
{
	return parser_address(p, &clause->at, &clause->argument);
}

static bool parse_text(struct parser *p, struct outside_clause *clause)
{
	while (parse_one_address(p, clause)) {
		if (!parser_accept(p, ","))
			return !p->error;
		push(p, clause);
		*clause = (struct outside_clause){.kind = OUTSIDE_TEXT};
	}
	return false;
}

static bool parse_opens(struct parser *p, struct outside_clause *clause)
{
	uint16_t ignored;

	if (!parser_stream(p, clause))
		return false;
	if (parser_accept(p, "named"))
		return parser_address(p, &clause->at, &clause->argument);
	if (parser_accept(p, "like"))
		return parser_address(p, &clause->extra, &ignored);
	return !p->error;
}

/* keeps STREAM in REGION | keeps STREAM at POINTER, LENGTH [by SIZE] */
static bool parse_keeps(struct parser *p, struct outside_clause *clause)
{
	struct word stream = p->word;

	if (!parser_stream(p, clause))
		return false;
	if (clause->stream_kind != OUTSIDE_FILE)
		return parser_fail(p, &stream, "'keeps' is about a FILE: 'file X'");
	if (parser_accept(p, "in"))
		return parser_address(p, &clause->at, &clause->argument) &&
		       parser_extent(p, clause);
	if (!parser_accept(p, "at"))
		return parser_expected(p, "'in' and a region, or 'at' and two addresses");
	return parser_address(p, &clause->at, &clause->argument) && parser_expect(p, ",") &&
	       parser_expression(p, &clause->to) &&
	       (!parser_accept(p, "by") || parser_expression(p, &clause->extra)) && !p->error;
}

/* An argument of a callback: a region it gets a pointer to, or a value. */
static bool parse_callback_argument(struct parser *p, struct outside_clause *clause)
{
	struct outside_clause source = {.kind = OUTSIDE_SOURCE, .region = OUTSIDE_VALUE};

	if (!parser_address(p, &source.at, &source.argument))
		return false;
	if (word_is(&p->word, "[") && !parser_extent(p, &source))
		return false;
	return push_source(p, clause, &source);
}

static bool parse_calls(struct parser *p, struct outside_clause *clause)
{
	int callback = parser_param(p, &p->word);

	if (callback < 0)
		return parser_expected(p, "the parameter that is called");
	clause->argument = (uint16_t)(callback + 1);
	parser_advance(p);
	if (parser_accept(p, "(") && !parser_accept(p, ")")) {
		do {
			if (!parse_callback_argument(p, clause))
				return false;
		} while (parser_accept(p, ","));
		if (!parser_expect(p, ")"))
			return false;
	}
	if (parser_accept(p, "later"))
		clause->flags |= OUTSIDE_LATER;
	else if (parser_accept(p, "elsewhere"))
		clause->flags |= OUTSIDE_ELSEWHERE;
	return !p->error;
}

static bool parse_identity(struct parser *p)
{
	if (p->word.kind != WORD_NAME)
		return parser_expected(p, "what the result names, such as 'pid'");
	p->function.identity = outside_models_text(p->models, p->word.text, p->word.length);
	parser_advance(p);
	return true;
}

/* One word that says something about the whole function. False when the word is none of them. */
static bool parse_property(struct parser *p, bool *good)
{
	static const struct {
		const char *name;
		uint16_t flag;
	} properties[] = {{"noreturn", OUTSIDE_NORETURN},
	                  {"pure", OUTSIDE_PURE | OUTSIDE_QUIET},
	                  {"quiet", OUTSIDE_QUIET},
	                  {"varies", OUTSIDE_VARIES},
	                  {"twice", OUTSIDE_TWICE}};

	*good = true;
	for (size_t i = 0; i < sizeof(properties) / sizeof(*properties); i++) {
		if (parser_accept(p, properties[i].name)) {
			p->function.flags |= properties[i].flag;
			return true;
		}
	}
	if (!parser_accept(p, "identity"))
		return false;
	*good = parse_identity(p);
	return true;
}

static const struct verb verbs[] = {
	{"reads", OUTSIDE_READS, parse_reads},
	{"writes", OUTSIDE_WRITES, parse_writes},
	{"copies", OUTSIDE_COPIES, parse_copies},
	{"fills", OUTSIDE_FILLS, parse_fills},
	{"permutes", OUTSIDE_PERMUTES, parse_permutes},
	{"returns", OUTSIDE_RETURNS, parse_returns},
	{"formats", OUTSIDE_FORMATS, parse_format},
	{"scans", OUTSIDE_SCANS, parse_scans},
	{"consumes", OUTSIDE_CONSUMES, parse_consumes},
	{"produces", OUTSIDE_PRODUCES, parse_produces},
	{"moves", OUTSIDE_MOVES, parser_stream},
	{"allocates", OUTSIDE_ALLOCATES, parse_allocates},
	{"frees", OUTSIDE_FREES, parse_one_address},
	{"opens", OUTSIDE_OPENS, parse_opens},
	{"closes", OUTSIDE_CLOSES, parser_stream},
	{"flushes", OUTSIDE_FLUSHES, parser_stream},
	{"keeps", OUTSIDE_KEEPS, parse_keeps},
	{"lends", OUTSIDE_LENDS, parser_region},
	{"calls", OUTSIDE_CALLS, parse_calls},
	{"text", OUTSIDE_TEXT, parse_text},
};

static const struct verb *find_verb(const struct word *word)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (word_is(word, verbs[i].name))
			return &verbs[i];
	return NULL;
}

static bool parse_verb(struct parser *p, const struct verb *verb)
{
	struct outside_clause clause = {.kind = verb->kind};
	uint32_t active = p->active.size, passive = p->passive.size;

	parser_advance(p);
	p->kind = verb->kind;
	p->sources.size = 0;
	if (!verb->parse(p, &clause) || p->error)
		return false;
	if (parser_accept(p, "when") && !parser_expression(p, &clause.when))
		return false;
	if (p->error)
		return false;

	/* The condition holds for all of a list: `reads a[n], b[n] when n`. */
	for (uint32_t i = active; i < p->active.size; i++)
		p->active.at[i].when = clause.when;
	for (uint32_t i = passive; i < p->passive.size; i++)
		p->passive.at[i].when = clause.when;

	if (clause.kind != OUTSIDE_CLAUSE_KINDS) {
		push(p, &clause);
		for (uint32_t i = 0; i < p->sources.size; i++)
			push(p, &p->sources.at[i]);
	}
	return true;
}

/* Reads one clause with its `when` into p->active or p->passive. */
static bool parser_clause(struct parser *p)
{
	const struct verb *verb = find_verb(&p->word);
	bool good;

	if (p->active.size + p->passive.size > CLAUSE_LIMIT)
		return parser_fail(p, &p->word, "too many clauses for one function");
	if (verb)
		return parse_verb(p, verb);
	if (parse_property(p, &good))
		return good;
	return parser_expected(p, "a verb such as 'reads', 'writes', 'copies' or 'returns'");
}

/* ------ entries ------ */

static bool parse_param(struct parser *p)
{
	struct word word = p->word;

	if (word.kind != WORD_NAME)
		return parser_expected(p, "the name of a parameter or '...'");
	if (word_is(&word, "ret") || word_is(&word, "consumed"))
		return parser_fail(p, &word, "a parameter cannot be called '%.*s'",
		                   (int)word.length, word.text);
	if (!word_is(&word, "_") && parser_param(p, &word) >= 0)
		return parser_fail(p, &word, "there are two parameters '%.*s'", (int)word.length,
		                   word.text);
	if (p->function.params == OUTSIDE_PARAMS)
		return parser_fail(p, &word, "more than %u parameters", OUTSIDE_PARAMS);
	p->params[p->function.params++] = word;
	parser_advance(p);
	return true;
}

static bool parse_params(struct parser *p)
{
	if (!parser_expect(p, "("))
		return false;
	if (parser_accept(p, ")"))
		return true;
	do {
		if (parser_accept(p, "...")) {
			p->function.flags |= OUTSIDE_VARIADIC;
			return parser_expect(p, ")");
		}
		if (!parse_param(p))
			return false;
	} while (parser_accept(p, ","));
	if (!word_is(&p->word, ")"))
		return parser_expected(p, "',' or ')'");
	parser_advance(p);
	return true;
}

/* Clauses go on until a line that begins in the first column. */
static bool parse_clauses(struct parser *p)
{
	while (p->word.kind != WORD_END && p->word.column != 1) {
		if (parser_accept(p, ";"))
			continue;
		if (!parser_clause(p))
			return false;
		if (p->word.kind != WORD_END && !p->word.first && !word_is(&p->word, ";"))
			return parser_expected(p, "';' or a new line");
	}
	return true;
}

/* Must the runtime look at something before the call? */
static bool prepares(const struct outside_clause *c)
{
	switch (c->kind) {
	case OUTSIDE_TEXT:
	case OUTSIDE_CLOSES: return true;
	case OUTSIDE_SCANS:
	case OUTSIDE_FORMATS: return c->extra != OUTSIDE_FORM || c->stream_kind == OUTSIDE_FILE;
	case OUTSIDE_CONSUMES:
	case OUTSIDE_MOVES: return c->stream_kind == OUTSIDE_FILE;
	case OUTSIDE_WRITES: return c->region == OUTSIDE_FLAGS;
	default: return false;
	}
}

static bool parse_names(struct parser *p)
{
	if (p->word.column != 1)
		return parser_fail(p, &p->word,
		                   "an entry must begin in the first column of its line");
	do {
		if (p->word.kind != WORD_NAME)
			return parser_expected(p, "the name of a function");
		*vec_push(&p->names) = p->word;
		parser_advance(p);
	} while (parser_accept(p, ","));
	return true;
}

static bool parse_entry(struct parser *p)
{
	memset(&p->function, 0, sizeof(p->function));
	p->names.size = p->active.size = p->passive.size = 0;
	if (!parse_names(p) || !parse_params(p))
		return false;
	parser_accept(p, ":");
	if (!parse_clauses(p))
		return false;

	struct outside_models *models = p->models;

	if (p->function.old_active)
		p->function.flags |= OUTSIDE_PREPARES;
	for (uint32_t i = 0; i < p->active.size; i++)
		if (prepares(&p->active.at[i]))
			p->function.flags |= OUTSIDE_PREPARES;

	p->function.clause = models->clauses.size;
	p->function.active = (uint16_t)p->active.size;
	p->function.clause_count = (uint16_t)(p->active.size + p->passive.size);
	for (uint32_t i = 0; i < p->active.size; i++)
		*vec_push(&models->clauses) = p->active.at[i];
	for (uint32_t i = 0; i < p->passive.size; i++)
		*vec_push(&models->clauses) = p->passive.at[i];

	for (uint32_t i = 0; i < p->names.size; i++) {
		const struct word *name = &p->names.at[i];

		p->function.name = outside_models_text(p->models, name->text, name->length);
		if (!outside_models_put(p->models, &p->function))
			return parser_fail(p, name, "this file already has a model of '%.*s'",
			                   (int)name->length, name->text);
	}
	return true;
}

struct hence_error *outside_models_add_text(struct outside_models *models, const char *name,
                                            const char *text, size_t size)
{
	struct parser p = {.models = models, .file = name};

	models->file_count++;

	p.lexer = (struct lexer){
		.at = text, .end = text + size, .line_start = text, .line = 1, .fresh = true};

	parser_advance(&p);
	while (p.word.kind != WORD_END && parse_entry(&p))
		;
	vec_deinit(&p.names);
	vec_deinit(&p.active);
	vec_deinit(&p.passive);
	vec_deinit(&p.sources);
	vec_deinit(&p.code);
	return p.error;
}
