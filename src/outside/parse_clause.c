/*
 * Clauses of models: a verb, what it is about, and when. Each verb has a short function here; the
 * table at the end lists them.
 */
#include "outside/parser.h"

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

/* The condition holds for all of a list: `reads a[n], b[n] when n`. */
static void set_when(struct parser *p, uint32_t active, uint32_t passive, uint32_t when)
{
	for (uint32_t i = active; i < p->active.size; i++)
		p->active.at[i].when = when;
	for (uint32_t i = passive; i < p->passive.size; i++)
		p->passive.at[i].when = when;
}

static void push_with_sources(struct parser *p, const struct outside_clause *clause)
{
	push(p, clause);
	for (uint32_t i = 0; i < p->sources.size; i++)
		push(p, &p->sources.at[i]);
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
	set_when(p, active, passive, clause.when);
	if (clause.kind != OUTSIDE_CLAUSE_KINDS)
		push_with_sources(p, &clause);
	return true;
}

bool parser_clause(struct parser *p)
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
