/* What clauses are about: regions of memory, and streams. See parser.h. */
#include "outside/parser.h"

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
bool parser_extent(struct parser *p, struct outside_clause *clause)
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

bool parser_region(struct parser *p, struct outside_clause *clause)
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

bool parser_target(struct parser *p, struct outside_clause *clause)
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

bool parser_stream(struct parser *p, struct outside_clause *clause)
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
