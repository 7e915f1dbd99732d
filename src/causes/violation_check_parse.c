/* A C expression as a tree: see violation_check.h. */
#include <string.h>

#include "causes/violation_check.h"

#define DEEPEST 200u

struct parser {
	const char *text;
	struct arena *arena;
	struct check_token token; /* the next */
	char *problem;            /* NULL: none yet */
	unsigned column;          /* of it */
	uint32_t depth;
};

static void fail_at(struct parser *p, const char *at, char *problem)
{
	if (p->problem) {
		free(problem);
		return;
	}
	p->problem = problem;
	p->column = (unsigned)(at - p->text) + 1;
}

static void fail(struct parser *p, char *problem)
{
	fail_at(p, p->token.text, problem);
}

static void advance(struct parser *p)
{
	const char *at = p->token.text ? p->token.text + p->token.length : p->text;
	char *problem = check_token(at, &p->token);

	if (problem) {
		fail(p, problem);
		p->token = (struct check_token){.text = at + strlen(at)};
	}
}

static bool is_operator(const struct parser *p, const char *operator_)
{
	return p->token.kind == TOKEN_OPERATOR && strlen(operator_) == p->token.length &&
	       !memcmp(p->token.text, operator_, p->token.length);
}

static bool is_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_NAME && strlen(word) == p->token.length &&
	       !memcmp(p->token.text, word, p->token.length);
}

static bool accept(struct parser *p, const char *operator_)
{
	bool is = is_operator(p, operator_);

	if (is)
		advance(p);
	return is;
}

static void expect(struct parser *p, const char *operator_)
{
	if (accept(p, operator_))
		return;
	if (p->token.kind == TOKEN_END)
		fail(p, str_format("'%s' is missing at the end", operator_));
	else
		fail(p, str_format("'%s' is missing before '%s'", operator_, p->token.text));
}

static struct check_node *make(struct parser *p, enum check_op op, const struct check_node *a,
                               const struct check_node *b)
{
	struct check_node *node = arena_new(p->arena, struct check_node);

	*node = (struct check_node){
		.op = op, .a = a, .b = b, .column = (unsigned)(p->token.text - p->text) + 1};
	return node;
}

static struct check_node *number(struct parser *p, const struct ctype *type, uint64_t bits)
{
	struct check_node *node = make(p, CHECK_NUMBER, NULL, NULL);

	node->type = type;
	node->bits = bits;
	return node;
}

static const struct check_node *parse_choice(struct parser *p);
static const struct check_node *parse_unary(struct parser *p);

/* --- names of types --- */

static const char *const type_words[] = {"void",  "char",   "short",    "int",    "long",
                                         "float", "double", "unsigned", "signed", "_Bool",
                                         "bool",  "const",  "volatile"};

enum type_word {
	WORD_VOID,
	WORD_CHAR,
	WORD_SHORT,
	WORD_INT,
	WORD_LONG,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_UNSIGNED,
	WORD_SIGNED,
	WORD_BOOL,
	WORD_BOOL_TOO,
	WORDS = sizeof(type_words) / sizeof(*type_words),
};

static bool begins_type(const struct parser *p)
{
	if (p->token.kind != TOKEN_NAME)
		return false;
	for (uint32_t i = 0; i < WORDS; i++)
		if (is_word(p, type_words[i]))
			return true;
	return is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum") ||
	       check_usual_name(p->token.text, p->token.length);
}

/* The type that counts of each word stand for; NULL: none. */
static const struct ctype *combine(const uint32_t *count)
{
	bool is_unsigned = count[WORD_UNSIGNED];

	if (count[WORD_VOID])
		return check_basic(BASIC_VOID);
	if (count[WORD_BOOL] || count[WORD_BOOL_TOO])
		return check_basic(BASIC_BOOL);
	if (count[WORD_FLOAT])
		return check_basic(BASIC_FLOAT);
	if (count[WORD_DOUBLE])
		return count[WORD_LONG] ? NULL : check_basic(BASIC_DOUBLE);
	if (count[WORD_CHAR])
		return check_basic(is_unsigned          ? BASIC_UNSIGNED_CHAR
		                   : count[WORD_SIGNED] ? BASIC_SIGNED_CHAR
		                                        : BASIC_CHAR);
	if (count[WORD_SHORT])
		return check_basic(is_unsigned ? BASIC_UNSIGNED_SHORT : BASIC_SHORT);
	if (count[WORD_LONG])
		return check_basic(is_unsigned ? BASIC_UNSIGNED_LONG : BASIC_LONG);
	return check_basic(is_unsigned ? BASIC_UNSIGNED : BASIC_INT);
}

static const struct ctype *parse_words(struct parser *p)
{
	const struct ctype *type = check_usual_name(p->token.text, p->token.length);
	uint32_t count[WORDS] = {0};

	if (type) {
		advance(p);
		return type;
	}
	for (bool found = true; found;) {
		found = false;
		for (uint32_t i = 0; i < WORDS && !found; i++)
			if (is_word(p, type_words[i])) {
				count[i]++;
				found = true;
				advance(p);
			}
	}
	type = combine(count);
	if (!type)
		fail(p, str_format("long double is not supported"));
	return type;
}

static const struct ctype *parse_type(struct parser *p)
{
	const struct ctype *type;

	if (is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum")) {
		fail(p, str_format("a type here must be one of C's own; for the size of a "
		                   "structure name a variable: sizeof(x), sizeof(*p)"));
		return check_basic(BASIC_INT);
	}
	type = parse_words(p);
	while (accept(p, "*"))
		type = check_pointer_to(p->arena, type);
	return type;
}

/* --- expressions --- */

static const struct check_node *parse_word(struct parser *p)
{
	struct check_node *node;

	if (is_word(p, "NULL"))
		node = number(p, check_pointer_to(p->arena, check_basic(BASIC_VOID)), 0);
	else if (is_word(p, "true") || is_word(p, "false"))
		node = number(p, check_basic(BASIC_INT), is_word(p, "true"));
	else
		node = make(p, CHECK_NAME, NULL, NULL);
	node->name = arena_strndup(p->arena, p->token.text, p->token.length);
	advance(p);
	return node;
}

static const struct check_node *parse_primary(struct parser *p)
{
	const struct check_node *node;

	switch (p->token.kind) {
	case TOKEN_NUMBER:
		node = number(p, p->token.type, p->token.bits);
		((struct check_node *)node)->name =
			arena_strndup(p->arena, p->token.text, p->token.length);
		advance(p);
		return node;
	case TOKEN_NAME: return parse_word(p);
	case TOKEN_END: fail(p, str_format("it ends where a value should come")); break;
	default:
		if (accept(p, "(")) {
			node = parse_choice(p);
			expect(p, ")");
			return node;
		}
		fail(p, str_format("a value should come before '%s'", p->token.text));
	}
	return number(p, check_basic(BASIC_INT), 0);
}

static const struct check_node *parse_member(struct parser *p, enum check_op op,
                                             const struct check_node *of)
{
	struct check_node *node = make(p, op, of, NULL);

	advance(p);
	if (p->token.kind != TOKEN_NAME) {
		fail(p, str_format("the name of a member should come"));
		return of;
	}
	node->name = arena_strndup(p->arena, p->token.text, p->token.length);
	advance(p);
	return node;
}

static const struct check_node *parse_postfix(struct parser *p)
{
	const struct check_node *node = parse_primary(p);

	while (!p->problem) {
		if (is_operator(p, ".")) {
			node = parse_member(p, CHECK_MEMBER, node);
		} else if (is_operator(p, "->")) {
			node = parse_member(p, CHECK_ARROW, node);
		} else if (is_operator(p, "[")) {
			struct check_node *index = make(p, CHECK_INDEX, node, NULL);

			advance(p);
			index->b = parse_choice(p);
			expect(p, "]");
			node = index;
		} else if (is_operator(p, "(")) {
			fail(p, str_format("functions cannot be called in a condition"));
		} else {
			break;
		}
	}
	return node;
}

static const struct check_node *parse_sizeof(struct parser *p)
{
	struct check_node *node = make(p, CHECK_SIZEOF, NULL, NULL);
	struct parser before;

	advance(p);
	before = *p;
	if (accept(p, "(") && begins_type(p)) {
		node->op = CHECK_SIZEOF_TYPE;
		node->type = parse_type(p);
		expect(p, ")");
		return node;
	}
	if (!p->problem)
		*p = before;
	node->a = parse_unary(p);
	return node;
}

/* A cast, or what is in parentheses. */
static const struct check_node *parse_parentheses(struct parser *p)
{
	struct check_node *node = make(p, CHECK_CAST, NULL, NULL);
	struct parser before = *p;

	advance(p);
	if (!begins_type(p)) {
		if (!p->problem)
			*p = before;
		return parse_postfix(p);
	}
	node->type = parse_type(p);
	expect(p, ")");
	node->a = parse_unary(p);
	return node;
}

static const struct check_node *parse_operand(struct parser *p)
{
	static const struct {
		const char *text;
		enum check_op op;
	} all[] = {{"*", CHECK_TARGET}, {"&", CHECK_ADDRESS}, {"+", CHECK_PLUS},
	           {"-", CHECK_MINUS},  {"!", CHECK_NOT},     {"~", CHECK_COMPLEMENT}};

	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct check_node *node;

		if (!is_operator(p, all[i].text))
			continue;
		node = make(p, all[i].op, NULL, NULL);
		advance(p);
		node->a = parse_unary(p);
		return node;
	}
	if (is_word(p, "sizeof"))
		return parse_sizeof(p);
	return is_operator(p, "(") ? parse_parentheses(p) : parse_postfix(p);
}

/* Goes one level deeper; false: too deep. */
static bool descend(struct parser *p)
{
	if (++p->depth > DEEPEST)
		fail(p, str_format("it is nested too deeply"));
	return !p->problem;
}

static const struct check_node *parse_unary(struct parser *p)
{
	const struct check_node *node = NULL;

	if (descend(p))
		node = parse_operand(p);
	p->depth--;
	return node ? node : number(p, check_basic(BASIC_INT), 0);
}

static const struct {
	const char *text;
	enum check_op op;
	int level;
} binaries[] = {
	{"*", CHECK_MUL, 10},  {"/", CHECK_DIV, 10},    {"%", CHECK_REM, 10}, {"+", CHECK_ADD, 9},
	{"-", CHECK_SUB, 9},   {"<<", CHECK_SHL, 8},    {">>", CHECK_SHR, 8}, {"<", CHECK_LT, 7},
	{"<=", CHECK_LE, 7},   {">", CHECK_GT, 7},      {">=", CHECK_GE, 7},  {"==", CHECK_EQ, 6},
	{"!=", CHECK_NE, 6},   {"&", CHECK_AND, 5},     {"^", CHECK_XOR, 4},  {"|", CHECK_OR, 3},
	{"&&", CHECK_BOTH, 2}, {"||", CHECK_EITHER, 1},
};

/* Operators of this level and tighter ones. */
static const struct check_node *parse_binary(struct parser *p, int level)
{
	const struct check_node *left = parse_unary(p);
	bool found = true;

	while (found && !p->problem) {
		found = false;
		for (uint32_t i = 0; i < sizeof(binaries) / sizeof(*binaries) && !found; i++) {
			struct check_node *node;

			if (binaries[i].level < level || !is_operator(p, binaries[i].text))
				continue;
			found = true;
			node = make(p, binaries[i].op, left, NULL);
			advance(p);
			node->b = parse_binary(p, binaries[i].level + 1);
			left = node;
		}
	}
	return left;
}

static const struct check_node *parse_choice(struct parser *p)
{
	const struct check_node *condition;
	struct check_node *node = NULL;

	if (!descend(p))
		return number(p, check_basic(BASIC_INT), 0);
	condition = parse_binary(p, 1);
	if (is_operator(p, "?")) {
		node = make(p, CHECK_CHOICE, condition, NULL);
		advance(p);
		node->b = parse_choice(p);
		expect(p, ":");
		node->c = parse_choice(p);
	}
	p->depth--;
	return node ? node : condition;
}

struct hence_error *check_parse(const char *text, struct arena *arena,
                                const struct check_node **out)
{
	struct parser p = {.text = text, .arena = arena};
	const struct check_node *root;
	struct hence_error *error;

	advance(&p);
	root = parse_choice(&p);
	if (p.token.kind != TOKEN_END)
		fail(&p, str_format("what follows from '%s' on is too much", p.token.text));
	if (!p.problem) {
		*out = root;
		return NULL;
	}
	error = error_create(HENCE_ERROR_INPUT, "the condition '%s' does not parse: column %u: %s",
	                     text, p.column, p.problem);
	free(p.problem);
	return error;
}
