/* An edit as a change of the source: see text.h. */
#include "edit/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CONTEXT 3u /* lines around a change in a patch */

/* --- tokens of a line --- */

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };

struct token {
	enum token_kind kind;
	uint32_t at, size;
};

struct line {
	const char *text;
	VEC(struct token) tokens;
};

static uint32_t sign_size(const char *at)
{
	static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
	                                    "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
	                                    "*=",  "/=",  "%=",  "&=", "|=", "^="};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strncmp(at, signs[i], strlen(signs[i])))
			return (uint32_t)strlen(signs[i]);
	return 1;
}

static void read_tokens(struct line *l)
{
	const char *at = l->text;

	while (*at) {
		const char *start = at;
		enum token_kind kind = TOKEN_SIGN;

		if (isspace((unsigned char)*at)) {
			at++;
			continue;
		}
		if (at[0] == '/' && at[1] == '/')
			return;
		if (at[0] == '/' && at[1] == '*') {
			const char *end = strstr(at + 2, "*/");

			if (!end)
				return;
			at = end + 2;
			continue;
		}
		if (isalpha((unsigned char)*at) || *at == '_') {
			kind = TOKEN_WORD;
			while (isalnum((unsigned char)*at) || *at == '_')
				at++;
		} else if (isdigit((unsigned char)*at) ||
		           (*at == '.' && isdigit((unsigned char)at[1]))) {
			kind = TOKEN_NUMBER;
			while (isalnum((unsigned char)*at) || *at == '.' ||
			       ((*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E') &&
			        start[1] != 'x'))
				at++;
		} else if (*at == '"' || *at == '\'') {
			char quote = *at++;

			kind = TOKEN_TEXT;
			while (*at && *at != quote)
				at += at[0] == '\\' && at[1] ? 2 : 1;
			at += *at != '\0';
		} else {
			at += sign_size(at);
		}
		*vec_push(&l->tokens) =
			(struct token){kind, (uint32_t)(start - l->text), (uint32_t)(at - start)};
	}
}

static bool is(const struct line *l, int64_t i, const char *text)
{
	return i >= 0 && i < (int64_t)l->tokens.size && l->tokens.at[i].size == strlen(text) &&
	       !memcmp(l->text + l->tokens.at[i].at, text, l->tokens.at[i].size);
}

static bool is_one_of(const struct line *l, int64_t i, const char *const *list)
{
	for (; *list; list++)
		if (is(l, i, *list))
			return true;
	return false;
}

/* The token at a column, from 1; -1: none begins there. */
static int64_t token_at(const struct line *l, unsigned column)
{
	for (uint32_t i = 0; i < l->tokens.size; i++)
		if (l->tokens.at[i].at + 1 == column)
			return i;
	return -1;
}

static uint32_t token_end(const struct line *l, int64_t i)
{
	return l->tokens.at[i].at + l->tokens.at[i].size;
}

/* --- expressions --- */

static const char *const keywords[] = {"return", "case", "sizeof", "if",   "while", "for",
                                       "else",   "do",   "switch", "goto", NULL};

static bool ends_operand(const struct line *l, int64_t i)
{
	if (i < 0 || i >= (int64_t)l->tokens.size)
		return false;
	switch (l->tokens.at[i].kind) {
	case TOKEN_WORD: return !is_one_of(l, i, keywords);
	case TOKEN_NUMBER:
	case TOKEN_TEXT: return true;
	case TOKEN_SIGN: break;
	}
	return is(l, i, ")") || is(l, i, "]") ||
	       ((is(l, i, "++") || is(l, i, "--")) && ends_operand(l, i - 1));
}

/* Of a binary operator, higher binds tighter; 0: it is none. */
static int precedence(const struct line *l, int64_t i)
{
	static const struct {
		const char *list[12];
		int level;
	} table[] = {{{"*", "/", "%", NULL}, 10},
	             {{"+", "-", NULL}, 9},
	             {{"<<", ">>", NULL}, 8},
	             {{"<", "<=", ">", ">=", NULL}, 7},
	             {{"==", "!=", NULL}, 6},
	             {{"&", NULL}, 5},
	             {{"^", NULL}, 4},
	             {{"|", NULL}, 3},
	             {{"&&", NULL}, 2},
	             {{"||", NULL}, 1}};

	if (i < 0 || i >= (int64_t)l->tokens.size || !ends_operand(l, i - 1))
		return 0;
	for (size_t n = 0; n < sizeof(table) / sizeof(*table); n++)
		if (is_one_of(l, i, table[n].list))
			return table[n].level;
	return 0;
}

static bool is_assignment(const struct line *l, int64_t i)
{
	static const char *const list[] = {
		"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};

	return is_one_of(l, i, list);
}

static bool ends_expression(const struct line *l, int64_t i)
{
	static const char *const list[] = {",", ";", "?", ":", "{", "}", NULL};

	return is_one_of(l, i, list) || is_assignment(l, i) || is_one_of(l, i, keywords);
}

/* The bracket that belongs to the one at i; -1: it is on another line. */
static int64_t partner(const struct line *l, int64_t i)
{
	int depth = 0, step = is(l, i, "(") || is(l, i, "[") ? 1 : -1;

	for (; i >= 0 && i < (int64_t)l->tokens.size; i += step) {
		if (is(l, i, "(") || is(l, i, "["))
			depth++;
		else if (is(l, i, ")") || is(l, i, "]"))
			depth--;
		if (!depth)
			return i;
	}
	return -1;
}

/* The operand of the operator at i on its left or right: its first or last token. -1: it is not all on
   this line. */
static int64_t operand_end(const struct line *l, int64_t i, int step, int level)
{
	int64_t last = i;

	for (int64_t n = i + step; n >= 0 && n < (int64_t)l->tokens.size; n += step) {
		bool open = is(l, n, step > 0 ? "(" : ")") || is(l, n, step > 0 ? "[" : "]");
		bool close = is(l, n, step > 0 ? ")" : "(") || is(l, n, step > 0 ? "]" : "[");
		int other = precedence(l, n);

		if (close || ends_expression(l, n))
			return last == i ? -1 : last;
		if (other && (step > 0 ? other <= level : other < level))
			return last == i ? -1 : last;
		if (open) {
			n = partner(l, n);
			if (n < 0)
				return -1;
		}
		last = n;
	}
	/* Nothing that ends it is seen: it may go on in the next line. */
	return -1;
}

static bool number_of(const struct line *l, int64_t i, double *value)
{
	const struct token *t = &l->tokens.at[i];
	char *text = mem_strndup(l->text + t->at, t->size), *end;
	bool good = true;

	if (t->kind == TOKEN_NUMBER) {
		bool real = strpbrk(text, ".") ||
		            (text[1] != 'x' && text[1] != 'X' && strpbrk(text, "eE"));

		*value = real ? strtod(text, &end) : (double)(int64_t)strtoull(text, &end, 0);
	} else if (t->kind == TOKEN_TEXT && text[0] == '\'' && t->size >= 3) {
		static const char from[] = "ntr0\\'\"abfv", to[] = "\n\t\r\0\\'\"\a\b\f\v";
		const char *known = text[1] == '\\' ? strchr(from, text[2]) : NULL;

		*value = text[1] != '\\' ? (signed char)text[1] : known ? to[known - from] : 0;
		good = text[1] != '\\' ? t->size == 3 : known && t->size == 4;
	} else {
		good = false;
	}
	free(text);
	return good;
}

/* --- a change of a line --- */

struct change {
	const struct line *line;
	uint32_t from, to; /* bytes of the line that go */
	struct str text;   /* what comes in their place */
	bool good;
	const char *why; /* not */
};

static void replace(struct change *c, uint32_t from, uint32_t to, const char *text)
{
	c->from = from;
	c->to = to;
	str_deinit(&c->text);
	str_add(&c->text, text);
	c->good = true;
}

static void replace_token(struct change *c, int64_t i, const char *text)
{
	replace(c, c->line->tokens.at[i].at, token_end(c->line, i), text);
}

/* A word becomes an expression: in brackets where operators stand beside it. */
static void replace_word(struct change *c, int64_t i, int64_t last, const char *text)
{
	const struct line *l = c->line;
	bool simple = !strchr(text, ' ');
	bool tight = precedence(l, last + 1) > 7 || is(l, last + 1, "[") || is(l, last + 1, "->") ||
	             is(l, last + 1, ".") ||
	             (l->tokens.size && i > 0 && l->tokens.at[i - 1].kind == TOKEN_SIGN &&
	              (precedence(l, i - 1) > 7 || is(l, i - 1, "!") || is(l, i - 1, "~") ||
	               (!ends_operand(l, i - 2) &&
	                (is(l, i - 1, "-") || is(l, i - 1, "*") || is(l, i - 1, "&")))));
	bool beside =
		text[0] == '-' && l->tokens.at[i].at && l->text[l->tokens.at[i].at - 1] == '-';
	char *made = !beside && (simple || !tight) ? mem_strdup(text) : str_format("(%s)", text);

	replace(c, l->tokens.at[i].at, token_end(l, last), made);
	free(made);
}

/* The loosest binary operator of the tokens that is in no brackets; 100: there is none. */
static int loosest(const struct line *l, int64_t first, int64_t last)
{
	int lowest = 100;

	for (int64_t n = first; n <= last; n++) {
		if (is(l, n, "(") || is(l, n, "[")) {
			n = partner(l, n);
			if (n < 0)
				break;
		}
		if (is(l, n, "?") || is_assignment(l, n))
			lowest = 0;
		if (precedence(l, n) && precedence(l, n) < lowest)
			lowest = precedence(l, n);
	}
	return lowest;
}

static int level_of(const char *sign)
{
	struct line l = {.text = sign};
	char *text = str_format("a %s b", sign);
	int level;

	l.text = text;
	read_tokens(&l);
	level = precedence(&l, 1);
	vec_deinit(&l.tokens);
	free(text);
	return level;
}

static char *span(const struct line *l, int64_t first, int64_t last, bool brackets)
{
	int size = (int)(token_end(l, last) - l->tokens.at[first].at);

	return str_format(brackets ? "(%.*s)" : "%.*s", size, l->text + l->tokens.at[first].at);
}

/* Another operator between the same operands: with brackets where it binds otherwise. */
static void change_binary(struct change *c, int64_t i, const char *sign)
{
	const struct line *l = c->line;
	int level = precedence(l, i), now = level_of(sign);
	int64_t first, last;
	char *left, *right, *made;
	bool around;

	if (!level || level == now) {
		replace_token(c, i, sign);
		return;
	}
	first = operand_end(l, i, -1, level);
	last = operand_end(l, i, 1, level);
	if (first < 0 || last < 0) {
		c->why = "the operands are not on one line";
		return;
	}
	around = precedence(l, first - 1) >= now || precedence(l, last + 1) > now;
	left = span(l, first, i - 1, loosest(l, first, i - 1) < now);
	right = span(l, i + 1, last, loosest(l, i + 1, last) <= now);
	made = str_format(around ? "(%s %s %s)" : "%s %s %s", left, sign, right);
	if (around || left[0] == '(' || right[0] == '(')
		replace(c, l->tokens.at[first].at, token_end(l, last), made);
	else
		replace_token(c, i, sign);
	free(left);
	free(right);
	free(made);
}

static void change_operator(struct change *c, int64_t i, const struct edit_found *e)
{
	char *compound = str_format("%s=", e->was), *made = str_format("%s=", e->is);

	if (is(c->line, i, e->was))
		change_binary(c, i, e->is);
	else if (e->kind != EDIT_RELATIONAL && is(c->line, i, compound))
		replace_token(c, i, made);
	free(compound);
	free(made);
}

/* a for a + b */
static void change_dropped(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	int level = precedence(l, i);
	int64_t first, last;

	if (is_assignment(l, i) && e->operand == 1) {
		replace_token(c, i, "=");
		return;
	}
	if (!level)
		return;
	first = operand_end(l, i, -1, level);
	last = operand_end(l, i, 1, level);
	if (first < 0 || last < 0)
		return;
	if (e->operand == 0)
		replace(c, token_end(l, i - 1), token_end(l, last), "");
	else
		replace(c, l->tokens.at[first].at, l->tokens.at[i + 1].at, "");
}

/* The part of the line that argument `number` (from 0) of the call at i is: tokens. */
static bool find_argument(const struct line *l, int64_t i, uint32_t number, int64_t *first,
                          int64_t *last)
{
	int64_t close;
	uint32_t n = 0;

	if (!is(l, i + 1, "("))
		return false;
	close = partner(l, i + 1);
	*first = i + 2;
	for (int64_t at = i + 2; close > 0 && at <= close; at++) {
		if (at == close || is(l, at, ",")) {
			if (n++ == number) {
				*last = at - 1;
				return *last >= *first;
			}
			*first = at + 1;
		} else if (is(l, at, "(") || is(l, at, "[")) {
			at = partner(l, at);
			if (at < 0)
				return false;
		}
	}
	return false;
}

/* Is there nothing but this literal, in brackets, with a sign or with a cast? */
static bool is_alone(const struct line *l, int64_t first, int64_t last, int64_t literal)
{
	static const char *const types[] = {"int",    "long",  "short",  "char",   "unsigned",
	                                    "signed", "float", "double", "size_t", NULL};
	static const char *const signs[] = {"(", ")", "-", "+", NULL};

	for (int64_t n = first; n <= last; n++)
		if (n != literal && !is_one_of(l, n, types) && !is_one_of(l, n, signs))
			return false;
	return true;
}

/* A number as the literal is written: with its suffix, with a point if it has one. Caller frees. */
static char *alike(const struct line *l, int64_t literal, const char *number)
{
	const struct token *t = &l->tokens.at[literal];
	const char *begin = l->text + t->at, *suffix = begin + t->size;
	bool hex = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
	bool real = !hex && (memchr(begin, '.', t->size) || memchr(begin, 'e', t->size));

	if (t->kind != TOKEN_NUMBER || !strchr("-0123456789", number[0]))
		return mem_strdup(number);
	while (suffix > begin && strchr(real ? "fFlL" : "uUlL", suffix[-1]))
		suffix--;
	return str_format("%s%s%.*s", number, real && !strpbrk(number, ".en") ? ".0" : "",
	                  (int)(begin + t->size - suffix), suffix);
}

/* A literal with this value, nearest to where it is used. */
static void change_constant(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	double wanted = strtod(e->was, NULL), value;
	int64_t first = -1, last = -1;

	if (i < 0)
		return;
	if (precedence(l, i)) {
		int level = precedence(l, i);

		first = e->operand ? i + 1 : operand_end(l, i, -1, level);
		last = e->operand ? operand_end(l, i, 1, level) : i - 1;
	} else if (is_assignment(l, i) || is(l, i, "return")) {
		first = i + 1;
		last = operand_end(l, i, 1, 0);
	} else if (l->tokens.at[i].kind == TOKEN_WORD && is(l, i + 1, "=")) {
		first = i + 2;
		last = operand_end(l, i + 1, 1, 0);
	} else if (l->tokens.at[i].kind == TOKEN_WORD && is(l, i + 1, "(")) {
		if (!find_argument(l, i, e->operand, &first, &last))
			return;
	}
	for (int64_t n = first; n >= 0 && n <= last; n++) {
		bool minus = n > first && is(l, n - 1, "-") && !ends_operand(l, n - 2);
		bool known = number_of(l, n, &value);

		if (!known || (minus ? -value : value) != wanted || !is_alone(l, first, last, n))
			continue;
		if (l->tokens.at[n].kind == TOKEN_TEXT && isdigit((unsigned char)e->is[0])) {
			int code = atoi(e->is);
			char *made = code >= ' ' && code < 127 && code != '\'' && code != '\\'
			                     ? str_format("'%c'", code)
			                     : mem_strdup(e->is);

			replace_token(c, n, made);
			free(made);
		} else {
			char *made = alike(l, n, e->is);

			replace_word(c, minus ? n - 1 : n, n, made);
			free(made);
		}
		return;
	}
	c->why = "the constant is not written there: it comes from a macro, an enumerator or the "
		 "compiler";
}

/* The condition that a branch is about: tokens. */
static bool find_condition(const struct line *l, int64_t i, const struct edit_found *e,
                           int64_t *first, int64_t *last)
{
	static const char *const heads[] = {"if", "while", "switch", NULL};

	if (i < 0)
		return false;
	if (is(l, i, "&&") || is(l, i, "||")) {
		int level = precedence(l, i);

		*first = (e->part & 3) == 1 ? operand_end(l, i, -1, level) : i + 1;
		*last = (e->part & 3) == 1 ? i - 1 : operand_end(l, i, 1, level);
		return *first >= 0 && *last >= *first;
	}
	if (is(l, i, "for") && is(l, i + 1, "(")) {
		int64_t semicolon = i + 2;

		while (semicolon < (int64_t)l->tokens.size && !is(l, semicolon, ";"))
			semicolon++;
		*first = semicolon + 1;
		for (*last = *first; *last < (int64_t)l->tokens.size && !is(l, *last, ";"); ++*last)
			continue;
		return *last < (int64_t)l->tokens.size && --*last >= *first;
	}
	if (is_one_of(l, i, heads) && is(l, i + 1, "(")) {
		*first = i + 2;
		*last = partner(l, i + 1) - 1;
		return *last >= *first;
	}
	/* It begins here, or contains this. */
	for (int64_t open = i - 1; open > 0; open--)
		if (is(l, open, "(") && is_one_of(l, open - 1, heads) && partner(l, open) > i) {
			*first = open + 1;
			*last = partner(l, open) - 1;
			return true;
		}
	/* c ? a : b */
	for (int64_t question = i; question < (int64_t)l->tokens.size; question++)
		if (is(l, question, "?")) {
			*first = operand_end(l, question, -1, 1);
			*last = question - 1;
			return *first >= 0 && *first <= i && *last >= *first;
		}
	return false;
}

/* Are the tokens all of `!x`? */
static bool is_negation(const struct line *l, int64_t first, int64_t last)
{
	int64_t n = first;

	if (!is(l, n, "!"))
		return false;
	while (is(l, n, "!"))
		n++;
	/* Behind the first operand there are only more brackets and members. */
	for (; n <= last; n++) {
		if (is(l, n, "(") || is(l, n, "[")) {
			n = partner(l, n);
			if (n < 0)
				return false;
		} else if (l->tokens.at[n].kind != TOKEN_WORD && !is(l, n, ".") &&
		           !is(l, n, "->") && !(is(l, n, "*") && !precedence(l, n))) {
			return false;
		}
	}
	return n == last + 1;
}

/* A change of x where the source has !x. */
static char *negated_change(const struct line *l, int64_t first, int64_t last,
                            const struct edit_found *e, const char *old)
{
	static const char *const signs[][2] = {{" == ", " != "}, {" != ", " == "}, {" <= ", " > "},
	                                       {" >= ", " < "},  {" < ", " >= "},  {" > ", " <= "}};
	bool odd = false, beside;
	int64_t n = first;

	while (is(l, n, "!") && n < last) {
		odd = !odd;
		n++;
	}
	if (e->kind == EDIT_NEGATED)
		return odd ? span(l, n, last, false) : str_format("!%s", old);
	if (e->kind != EDIT_TIGHTENED && e->kind != EDIT_LOOSENED)
		return mem_strdup(odd == (e->is[0] == '1') ? "0" : "1");
	if (!odd)
		return str_format("%s %s", old, e->is);
	/* !(x && a < b) is !x || a >= b. */
	beside = e->kind == EDIT_TIGHTENED &&
	         (precedence(l, first - 1) == 2 || precedence(l, last + 1) == 2);
	for (size_t s = 0; s < sizeof(signs) / sizeof(*signs); s++) {
		const char *at = strstr(e->is, signs[s][0]);

		if (at)
			return str_format(beside ? "(%s %s%.*s%s%s)" : "%s %s%.*s%s%s", old,
			                  e->kind == EDIT_TIGHTENED ? "|| " : "&& ",
			                  (int)(at - e->is - 3), e->is + 3, signs[s][1],
			                  at + strlen(signs[s][0]));
	}
	return mem_strdup(old);
}

static void change_condition(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	int64_t first, last;
	char *old, *made;
	int lowest;

	if (!find_condition(l, i, e, &first, &last))
		return;
	old = mem_strndup(l->text + l->tokens.at[first].at,
	                  token_end(l, last) - l->tokens.at[first].at);
	lowest = loosest(l, first, last);
	if ((e->part & EDIT_PART_PLAIN) && is_negation(l, first, last)) {
		made = negated_change(l, first, last, e, old);
		replace(c, l->tokens.at[first].at, token_end(l, last), made);
		free(old);
		free(made);
		return;
	}
	switch (e->kind) {
	case EDIT_NEGATED:
		made = lowest == 100 ? str_format("!%s", old) : str_format("!(%s)", old);
		break;
	case EDIT_TIGHTENED:
		made = lowest < 2 ? str_format("(%s) %s", old, e->is)
		                  : str_format("%s %s", old, e->is);
		break;
	case EDIT_LOOSENED: {
		/* Beside && it needs brackets of its own. */
		bool beside = precedence(l, first - 1) == 2 || precedence(l, last + 1) == 2;

		made = lowest < 1 ? str_format("(%s) %s", old, e->is)
		       : beside   ? str_format("(%s %s)", old, e->is)
		                  : str_format("%s %s", old, e->is);
		break;
	}
	default: made = mem_strdup(e->is);
	}
	replace(c, l->tokens.at[first].at, token_end(l, last), made);
	free(old);
	free(made);
}

/* The statement that has the token: tokens up to its semicolon. False: it is not all on the line, or is
   a declaration. */
static bool find_statement(const struct line *l, int64_t i, int64_t *first, int64_t *last)
{
	static const char *const stops[] = {";", "{", "}", "else", "do", ":", NULL};

	if (i < 0)
		return false;
	for (*first = i; *first > 0 && !is_one_of(l, *first - 1, stops); --*first) {
		/* Behind the condition of an if the statement begins. */
		if (is(l, *first - 1, ")")) {
			int64_t open = partner(l, *first - 1);
			static const char *const heads[] = {"if", "while", "for", NULL};

			if (open > 0 && is_one_of(l, open - 1, heads))
				break;
			if (open < 0)
				return false;
			*first = open + 1;
		} else if (is(l, *first - 1, "(")) {
			return false;
		}
	}
	for (*last = i; *last < (int64_t)l->tokens.size && !is(l, *last, ";"); ++*last)
		if ((is(l, *last, "(") || is(l, *last, "[")) && (*last = partner(l, *last)) < 0)
			return false;
	if (*last >= (int64_t)l->tokens.size)
		return false;
	/* Two words beside each other declare something. */
	if (l->tokens.at[*first].kind == TOKEN_WORD &&
	    l->tokens.at[*first + 1].kind == TOKEN_WORD && !is(l, *first, "return"))
		return false;
	return true;
}

/* May a statement begin with this line: does the one before it, with text, end a statement or open a
   block? */
static bool begins_statement(char *const *lines, unsigned number)
{
	bool begins = false, known = false;

	for (unsigned n = number - 1; n > 0 && !known; n--) {
		struct line l = {.text = lines[n - 1]};

		read_tokens(&l);
		if (l.tokens.size) {
			int64_t last = (int64_t)l.tokens.size - 1;
			static const char *const ends[] = {";", "{", "}", ":", NULL};

			known = true;
			begins = is_one_of(&l, last, ends) || is(&l, 0, "#");
		}
		vec_deinit(&l.tokens);
	}
	return begins;
}

/* Does a statement do more than the assignment at i, so that leaving out the assignment is not all? */
static bool does_more(const struct line *l, int64_t first, int64_t last, int64_t i)
{
	for (int64_t n = first; n <= last; n++)
		if ((n != i && (is_assignment(l, n) || is(l, n, "++") || is(l, n, "--"))) ||
		    (is(l, n, "(") && n > first && l->tokens.at[n - 1].kind == TOKEN_WORD &&
		     !is_one_of(l, n - 1, keywords)))
			return true;
	return false;
}

static void change_statement(struct change *c, int64_t i, const struct edit_found *e,
                             char *const *lines)
{
	const struct line *l = c->line;
	int64_t first, last;
	char *made;

	if (!find_statement(l, i, &first, &last)) {
		c->why = "the statement is not on one line by itself";
		return;
	}
	if (e->kind == EDIT_GUARDED) {
		made = str_format("if (%s) %.*s", e->is + 3,
		                  (int)(token_end(l, last) - l->tokens.at[first].at),
		                  l->text + l->tokens.at[first].at);
		replace(c, l->tokens.at[first].at, token_end(l, last), made);
		free(made);
		return;
	}
	if (e->kind == EDIT_DELETED && does_more(l, first, last, i)) {
		c->why = "the statement does more than what is left out";
		return;
	}
	replace(c, l->tokens.at[first].at, token_end(l, last),
	        first == 0 && begins_statement(lines, e->line) ? "" : ";");
}

/* 'break if x < y' is `if (x < y) break;`. */
static void change_inserted(struct change *c, const struct edit_found *e, char *const *lines)
{
	const struct line *l = c->line;
	const char *if_ = strstr(e->is, " if ");
	char *made;

	if (!l->tokens.size || is(l, 0, "else") || is(l, 0, "}") ||
	    !begins_statement(lines, e->line)) {
		c->why = "there is no place for another statement without braces";
		return;
	}
	/* Behind the last statement of a block. */
	if (!strcmp(e->was, "after")) {
		int64_t i = token_at(l, e->column), first, last;

		if (i < 0 || !find_statement(l, i, &first, &last) || first > 0) {
			c->why = "the statement is not on one line by itself";
			return;
		}
		made = str_format(" %s", e->is);
		replace(c, token_end(l, last), token_end(l, last), made);
		free(made);
		return;
	}
	made = e->kind == EDIT_LEFT_IF && if_
	               ? str_format("if (%s) %.*s; ", if_ + 4, (int)(if_ - e->is), e->is)
	               : str_format("%s ", e->is);
	replace(c, l->tokens.at[0].at, l->tokens.at[0].at, made);
	free(made);
}

static void change_arguments(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	unsigned one = 0, two = 0;
	int64_t a, b, x, y;
	char *made;

	if (sscanf(e->is, "%u,%u", &one, &two) != 2 || i < 0 ||
	    !find_argument(l, i, one - 1, &a, &b) || !find_argument(l, i, two - 1, &x, &y))
		return;
	made = str_format("%.*s%.*s%.*s", (int)(token_end(l, y) - l->tokens.at[x].at),
	                  l->text + l->tokens.at[x].at, (int)(l->tokens.at[x].at - token_end(l, b)),
	                  l->text + token_end(l, b), (int)(token_end(l, b) - l->tokens.at[a].at),
	                  l->text + l->tokens.at[a].at);
	replace(c, l->tokens.at[a].at, token_end(l, y), made);
	free(made);
}

/* Something else for a name or for the call of a function. */
static void change_word(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	size_t length = e->was ? strlen(e->was) : 0;
	char *name;

	if (i < 0)
		return;
	/* What an operator computes: with something behind its right operand. */
	if (precedence(l, i) && is(l, i, e->was)) {
		int level = precedence(l, i);
		int64_t first = operand_end(l, i, -1, level), last = operand_end(l, i, 1, level);
		char *made;

		if (first < 0 || last < 0)
			return;
		made = str_format(level < 9 || strpbrk(e->is, "*/%") ? "(%.*s) %s" : "%.*s %s",
		                  (int)(token_end(l, last) - l->tokens.at[first].at),
		                  l->text + l->tokens.at[first].at, e->is);
		replace_word(c, first, last, made);
		free(made);
		return;
	}
	if (!strcmp(e->was, "[]")) {
		int64_t open = i, close;
		char *made;

		while (open < (int64_t)l->tokens.size && !is(l, open, "["))
			open++;
		close = partner(l, open);
		if (open >= (int64_t)l->tokens.size || close < 0)
			return;
		made = str_format(" %s", e->is);
		replace(c, token_end(l, close - 1), token_end(l, close - 1), made);
		free(made);
		return;
	}
	if (length > 2 && !strcmp(e->was + length - 2, "()")) {
		int64_t close = is(l, i + 1, "(") ? partner(l, i + 1) : -1;

		name = mem_strndup(e->was, length - 2);
		if (close > 0 && is(l, i, name)) {
			int size = (int)(token_end(l, close) - l->tokens.at[i].at);
			const char *call = l->text + l->tokens.at[i].at;
			char *made = e->is[0] == '-'
			                     ? str_format("-%.*s", size, call)
			                     : str_format("%.*s%s", size, call, e->is + length);

			replace_word(c, i, close, made);
			free(made);
		}
		free(name);
		return;
	}
	if (is(l, i, e->was))
		replace_word(c, i, i, e->is);
	else
		c->why = "the name is not written there: it comes from a macro or is part of "
		         "another "
			 "expression";
}

/* Another string literal for an argument. */
static void change_literal(struct change *c, int64_t i, const struct edit_found *e)
{
	int64_t first, last;

	if (i >= 0 && find_argument(c->line, i, e->operand, &first, &last) && first == last &&
	    c->line->tokens.at[first].kind == TOKEN_TEXT)
		replace_token(c, first, e->is);
	else
		c->why = "the string is not written there";
}

/* 'a[3] is 5': the entry in the braces behind the name. */
static void change_data(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	const char *bracket = strchr(e->was, '['), *value = strstr(e->is, " is ");
	uint32_t number = bracket ? (uint32_t)strtoul(bracket + 1, NULL, 10) : 0, n = 0;
	double old = strtod(strstr(e->was, " is ") + 4, NULL), found;
	bool flat = bracket && !strchr(bracket + 1, '[');

	for (i = i < 0 ? 0 : i; i < (int64_t)l->tokens.size && !is(l, i, "="); i++)
		continue;
	i++;
	if (!bracket && i < (int64_t)l->tokens.size && number_of(l, i, &found) && found == old) {
		replace_token(c, i, value + 4);
		return;
	}
	if (flat && is(l, i, "{"))
		for (i++; i < (int64_t)l->tokens.size && !is(l, i, "}"); i++) {
			if (is(l, i, ","))
				n++;
			else if (n == number && number_of(l, i, &found) && found == old &&
			         (is(l, i + 1, ",") || is(l, i + 1, "}"))) {
				replace_token(c, i, value + 4);
				return;
			}
		}
	c->why = "the value is not found in the text of the declaration";
}

/* Computed in a wider type: the left operand is cast. */
static void change_width(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	int level = precedence(l, i);
	int64_t first = level ? operand_end(l, i, -1, level + 1) : -1;
	const char *cast = !strcmp(e->is, "in floating point")   ? "(double)"
	                   : !strcmp(e->is, "in the wider type") ? "(long long)"
	                   : strstr(e->is, "unsigned")           ? "(unsigned)"
	                                                         : NULL;

	if (first < 0 || !cast || !is(l, i, e->was)) {
		c->why = "it needs another type, not another text at one place";
		return;
	}
	replace(c, l->tokens.at[first].at, l->tokens.at[first].at, cast);
}

static void change(struct change *c, const struct edit_found *e, char *const *lines)
{
	int64_t i = token_at(c->line, e->column);

	switch (e->kind) {
	case EDIT_RELATIONAL:
	case EDIT_ARITHMETIC:
	case EDIT_BITWISE:
	case EDIT_STEP:
	case EDIT_JOINED:
		if (i >= 0)
			change_operator(c, i, e);
		break;
	case EDIT_NEAR:
	case EDIT_OTHER_CONSTANT:
	case EDIT_VARIABLE_FOR: change_constant(c, i, e); break;
	case EDIT_DROPPED: change_dropped(c, i, e); break;
	case EDIT_NEGATED:
	case EDIT_FORCED:
	case EDIT_TIGHTENED:
	case EDIT_LOOSENED: change_condition(c, i, e); break;
	case EDIT_EXCHANGED: change_arguments(c, i, e); break;
	case EDIT_TARGET: change_word(c, is_assignment(c->line, i) ? i - 1 : i, e); break;
	case EDIT_CALL_DROPPED:
	case EDIT_DELETED:
	case EDIT_GUARDED: change_statement(c, i, e, lines); break;
	case EDIT_ASSIGNED:
	case EDIT_LEFT:
	case EDIT_LEFT_IF: change_inserted(c, e, lines); break;
	case EDIT_TEXT: change_literal(c, i, e); break;
	case EDIT_INITIAL:
	case EDIT_ENTRY: change_data(c, i, e); break;
	case EDIT_WIDER: change_width(c, i, e); break;
	case EDIT_OFF_BY_ONE:
	case EDIT_VARIABLE:
	case EDIT_MEMBER:
	case EDIT_CONSTANT_FOR:
	case EDIT_EXTENDED:
	case EDIT_SIGN:
	case EDIT_CALLEE:
		if (e->was && e->is)
			change_word(c, i, e);
		break;
	default: break;
	}
}

/* --- the whole --- */

static void write_patch(const struct edit_found *e, char *const *lines, uint32_t count,
                        const char *now, struct edit_text *out)
{
	uint32_t first = e->line > CONTEXT ? e->line - CONTEXT : 1;
	uint32_t last = e->line + CONTEXT < count ? e->line + CONTEXT : count;
	bool gone = true;
	struct str p = STR_INIT;

	for (const char *at = now; *at; at++)
		gone &= isspace((unsigned char)*at) != 0;
	str_printf(&p, "--- %s\n+++ %s\n@@ -%u,%u +%u,%u @@\n", e->file, e->file, first,
	           last - first + 1, first, last - first + 1 - gone);
	for (uint32_t i = first; i <= last; i++) {
		if (i != e->line) {
			str_printf(&p, " %s\n", lines[i - 1]);
			continue;
		}
		str_printf(&p, "-%s\n", lines[i - 1]);
		if (!gone)
			str_printf(&p, "+%s\n", now);
	}
	out->patch = str_steal(&p);
}

void edit_text(const struct edit_found *e, char *const *lines, uint32_t count,
               struct edit_text *out)
{
	struct line line = {0};
	struct change c = {.line = &line};
	const char *text;
	size_t indent = 0;

	*out = (struct edit_text){.column = e->column};
	if (lines && e->line && e->line <= count) {
		line.text = lines[e->line - 1];
		read_tokens(&line);
		change(&c, e, lines);
	} else {
		c.why = lines ? "the line is not in the source"
		              : "the source is not there, or was changed since it was compiled";
	}
	text = line.text;
	if (c.good) {
		char *now =
			str_format("%.*s%s%s", (int)c.from, text, str_text(&c.text), text + c.to);

		while (isspace((unsigned char)text[indent]))
			indent++;
		out->column = c.from + 1;
		out->before = mem_strdup(text + indent);
		out->after = mem_strdup(strlen(now) > indent ? now + indent : "");
		out->mark = c.from > indent ? c.from - (unsigned)indent : 0;
		out->mark_length = (unsigned)c.text.length;
		write_patch(e, lines, count, now, out);
		free(now);
	} else {
		out->before = mem_strdup(e->was ? e->was : "");
		out->after = mem_strdup(e->is ? e->is : "");
		out->mark_length = (unsigned)strlen(out->after);
		out->no_patch = mem_strdup(
			c.why ? c.why
			      : "the text there is not what was compiled: it may be a macro");
	}
	str_deinit(&c.text);
	vec_deinit(&line.tokens);
}

void edit_text_deinit(struct edit_text *text)
{
	free(text->before);
	free(text->after);
	free(text->patch);
	free(text->no_patch);
	*text = (struct edit_text){0};
}
