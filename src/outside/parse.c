/* Reads the entries of .model files: names, parameters, clauses. See parser.h. */
#include "outside/parser.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/str.h"

bool parser_fail(struct parser *p, const struct word *at, const char *format, ...)
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

bool parser_expected(struct parser *p, const char *what)
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

void parser_advance(struct parser *p)
{
	p->word = lexer_next(&p->lexer);
}

bool parser_accept(struct parser *p, const char *text)
{
	if (p->error || !word_is(&p->word, text))
		return false;
	parser_advance(p);
	return true;
}

bool parser_expect(struct parser *p, const char *text)
{
	char what[16] = "'";

	if (parser_accept(p, text))
		return true;
	strncat(what, text, sizeof(what) - 3);
	strcat(what, "'");
	return parser_expected(p, what);
}

int parser_param(const struct parser *p, const struct word *word)
{
	for (uint32_t i = 0; i < p->function.params; i++) {
		const struct word *param = &p->params[i];

		if (word->kind == WORD_NAME && param->length == word->length &&
		    !memcmp(param->text, word->text, word->length))
			return (int)i;
	}
	return -1;
}

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

static void finish_entry(struct parser *p)
{
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

static bool put_names(struct parser *p)
{
	for (uint32_t i = 0; i < p->names.size; i++) {
		const struct word *name = &p->names.at[i];

		p->function.name = outside_models_text(p->models, name->text, name->length);
		if (!outside_models_put(p->models, &p->function))
			return parser_fail(p, name, "this file already has a model of '%.*s'",
			                   (int)name->length, name->text);
	}
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
	finish_entry(p);
	return put_names(p);
}

struct hence_error *outside_models_add_text(struct outside_models *models, const char *name,
                                            const char *text, size_t size)
{
	struct parser p = {.models = models, .file = name};

	models->file_count++;
	lexer_init(&p.lexer, text, size);
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
