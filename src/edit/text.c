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
	unsigned number;   /* of the line, if it is another one than that of the edit */
	char *second;      /* what comes in place of the next line; NULL: that stays */
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

/* Is there an && or || among the tokens? */
static bool joins(const struct line *l, int64_t first, int64_t last)
{
	bool found = false;

	for (int64_t n = first; n <= last; n++)
		found |= is(l, n, "&&") || is(l, n, "||");
	return found;
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
	/* && and || change for the condition before them: x && a && b becomes x && (a || b). */
	first = operand_end(l, i, -1, level > 2 ? level : 3);
	last = operand_end(l, i, 1, level);
	if (first < 0 || last < 0) {
		c->why = "the operands are not on one line";
		return;
	}
	if (level <= 2 && is(l, first, "(") && partner(l, first) == i - 1 &&
	    joins(l, first + 1, i - 2)) {
		c->why = "the condition before the operator has several parts";
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

/* Where a constant stands that the instruction at i uses as its operand: tokens. */
static bool find_constant(const struct line *l, int64_t i, uint32_t operand, int64_t *first,
                          int64_t *last)
{
	if (i < 0)
		return false;
	if (precedence(l, i)) {
		int level = precedence(l, i);

		*first = operand ? i + 1 : operand_end(l, i, -1, level);
		*last = operand ? operand_end(l, i, 1, level) : i - 1;
	} else if (is_assignment(l, i) || is(l, i, "return")) {
		*first = i + 1;
		*last = operand_end(l, i, 1, 0);
	} else if (l->tokens.at[i].kind == TOKEN_WORD && is(l, i + 1, "=")) {
		*first = i + 2;
		*last = operand_end(l, i + 1, 1, 0);
	} else if (l->tokens.at[i].kind != TOKEN_WORD || !is(l, i + 1, "(") ||
	           !find_argument(l, i, operand, first, last)) {
		return false;
	}
	return *first >= 0 && *last >= *first;
}

/* A literal with this value, nearest to where it is used. */
static void change_constant(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	double wanted = strtod(e->was, NULL), value;
	int64_t first = -1, last = -1;

	if (!find_constant(l, i, e->operand, &first, &last))
		first = last = -1;
	/* An enumerator for another one. */
	if (isalpha((unsigned char)e->was[0]) || e->was[0] == '_') {
		if (first >= 0 && first == last && is(l, first, e->was))
			replace_token(c, first, e->is);
		else
			c->why = "the enumerator is not written there";
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

/* The end of the condition with the token at i, on its left or right: up to && or ||, or to what ends
   an expression. -1: it is on another line. */
static int64_t condition_end(const struct line *l, int64_t i, int step)
{
	bool assigns = is_assignment(l, i);

	/* (char)x */
	if (step > 0 && is(l, i, "(") && (i = partner(l, i)) < 0)
		return -1;
	for (int64_t n = i + step; n >= 0 && n < (int64_t)l->tokens.size; n += step) {
		int level = precedence(l, n);

		if (is(l, n, step > 0 ? ")" : "(") || is(l, n, step > 0 ? "]" : "["))
			return n - step;
		if (assigns && step > 0 ? is(l, n, ",") || is(l, n, ";")
		                        : level == 1 || level == 2 ||
		                                  (ends_expression(l, n) && !is(l, n, "sizeof")))
			return n - step;
		if (is(l, n, step > 0 ? "(" : ")") || is(l, n, step > 0 ? "[" : "]")) {
			n = partner(l, n);
			if (n < 0)
				return -1;
		}
	}
	return -1;
}

/* Do the tokens decide where control goes, by what is around them? They could be an argument. */
static bool is_condition(const struct line *l, int64_t first, int64_t last)
{
	static const char *const heads[] = {"if", "while", NULL};

	for (;;) {
		int64_t open = first - 1;
		int left = precedence(l, first - 1), right = precedence(l, last + 1);

		if (left == 1 || left == 2 || right == 1 || right == 2 || is(l, last + 1, "?"))
			return true;
		if (is(l, open, ";") && is(l, last + 1, ";")) {
			while (open >= 0 && !is(l, open, "("))
				open = is(l, open, ")") ? partner(l, open) - 1 : open - 1;
			return is(l, open - 1, "for");
		}
		if (!is(l, open, "(") || partner(l, open) != last + 1)
			return false;
		if (is_one_of(l, open - 1, heads))
			return true;
		if (ends_operand(l, open - 1))
			return false;
		first = open;
		last++;
		while (is(l, first - 1, "!"))
			first--;
	}
}

static bool of_whole(const struct edit_found *e)
{
	return !strncmp(e->is, EDIT_WHOLE, strlen(EDIT_WHOLE));
}

/* The condition that a branch is on: tokens. */
static bool find_condition(const struct line *l, int64_t i, const struct edit_found *e,
                           int64_t *first, int64_t *last)
{
	static const char *const heads[] = {"if", "while", "switch", NULL};

	/* The place of the branch may be that of all of a && (b || c); what it is on has its own. */
	if (e->condition && !of_whole(e)) {
		int64_t at = token_at(l, e->condition);
		int level = is_assignment(l, at) ? 0 : precedence(l, at) ? precedence(l, at) : 100;

		if (at < 0)
			return false;
		*first = condition_end(l, at, -1);
		*last = condition_end(l, at, 1);
		/* Its operator is the outermost one, else a macro stands there. */
		return *first >= 0 && *last >= *first && loosest(l, *first, *last) == level &&
		       is_condition(l, *first, *last);
	}
	if (i < 0 || (!of_whole(e) && (is(l, i, "&&") || is(l, i, "||"))))
		return false;
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
	/* After the first operand there are only more brackets and members. */
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
	if (e->kind == EDIT_VALUE)
		return str_format(odd ? "!(%s)" : "%s", e->is);
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

static void change_condition(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	int64_t first, last;
	const char *is_now = of_whole(e) ? e->is + strlen(EDIT_WHOLE) : e->is;
	char *old, *made;
	int lowest;

	if (of_whole(e) && !is(l, i, "&&") && !is(l, i, "||"))
		return;
	if (!find_condition(l, i, e, &first, &last))
		return;
	for (int64_t n = first; n < last && of_whole(e); n++)
		if (is(l, n, "!") && is(l, n + 1, "(")) {
			c->why = "the condition is negated";
			return;
		}
	for (int64_t n = first; n <= last && e->kind == EDIT_FORCED; n++)
		if (is_assignment(l, n) || is(l, n, "++") || is(l, n, "--")) {
			c->why = "the condition does more than decide";
			return;
		}
	if (e->kind == EDIT_VALUE && does_more(l, first, last, -1)) {
		c->why = "the condition does more than to compute a value";
		return;
	}
	old = mem_strndup(l->text + l->tokens.at[first].at,
	                  token_end(l, last) - l->tokens.at[first].at);
	lowest = loosest(l, first, last);
	if (!of_whole(e) && (e->part & EDIT_PART_PLAIN) && is_negation(l, first, last)) {
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
		made = lowest < 2 ? str_format("(%s) %s", old, is_now)
		                  : str_format("%s %s", old, is_now);
		break;
	case EDIT_LOOSENED: {
		/* Beside && it needs brackets of its own. */
		bool beside = precedence(l, first - 1) == 2 || precedence(l, last + 1) == 2;

		made = lowest < 1 ? str_format("(%s) %s", old, is_now)
		       : beside   ? str_format("(%s %s)", old, is_now)
		                  : str_format("%s %s", old, is_now);
		break;
	}
	default: made = mem_strdup(is_now);
	}
	replace(c, l->tokens.at[first].at, token_end(l, last), made);
	free(old);
	free(made);
}

/* Another expression for all that is assigned, returned or passed. */
static void change_value(struct change *c, int64_t i, const struct edit_found *e)
{
	static const char *const ends[] = {";", ",", ")", NULL};
	const struct line *l = c->line;
	int64_t first, last;
	bool place = i >= 0 && (is(l, i, "=") || is(l, i, "return") || is(l, i + 1, "=") ||
	                        is(l, i + 1, "("));

	if (!place || !find_constant(l, i, e->operand, &first, &last) ||
	    !is_one_of(l, last + 1, ends))
		c->why = "the expression is not all on that line";
	else if (does_more(l, first, last, -1) || is(l, first, "{"))
		c->why = "the expression does more than to compute a value";
	else
		replace(c, l->tokens.at[first].at, token_end(l, last), e->is);
}

/* The statement that has the token: tokens up to its semicolon. False: it is not all on the line, or is
   a declaration. */
static bool find_statement(const struct line *l, int64_t i, int64_t *first, int64_t *last)
{
	static const char *const stops[] = {";", "{", "}", "else", "do", ":", NULL};

	if (i < 0)
		return false;
	for (*first = i; *first > 0 && !is_one_of(l, *first - 1, stops); --*first) {
		/* The statement begins after the condition of an if. */
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

/* --- statements from elsewhere --- */

/* Calls, assignments, ++ and --: what a statement does. */
static uint32_t count_effects(const struct line *l, int64_t first, int64_t last)
{
	uint32_t count = 0;

	for (int64_t n = first; n <= last; n++)
		count += is_assignment(l, n) || is(l, n, "++") || is(l, n, "--") ||
		         (is(l, n, "(") && n > first && ends_operand(l, n - 1));
	return count;
}

/* The statement, or the part of a `for` or of a declaration, that has the token: without its semicolon. */
static bool find_copied(const struct line *l, int64_t i, int64_t *first, int64_t *last)
{
	static const char *const stops[] = {";", "{", "}", "else", "do", ":", ",", NULL};

	for (*first = i; *first > 0 && !is_one_of(l, *first - 1, stops) && !is(l, *first - 1, "(");
	     --*first)
		if (is(l, *first - 1, ")") || is(l, *first - 1, "]")) {
			int64_t open = partner(l, *first - 1);
			static const char *const heads[] = {"if", "while", "for", "switch", NULL};

			if (open > 0 && is_one_of(l, open - 1, heads))
				break;
			if (open < 0)
				return false;
			*first = open + 1;
		}
	if (is(l, *first - 1, "(") && !is(l, *first - 2, "for"))
		return false;
	for (*last = i; *last < (int64_t)l->tokens.size; ++*last) {
		if (is(l, *last, ";") || is(l, *last, ",") || is(l, *last, ")")) {
			--*last;
			return true;
		}
		if ((is(l, *last, "(") || is(l, *last, "[")) && (*last = partner(l, *last)) < 0)
			return false;
	}
	return false;
}

/* 'copy of 12:5 with b for a': the statement of that place, as it is written there. NULL: it does more or less than what was
   copied. Caller frees. */
static char *copied_text(const struct edit_found *e, char *const *lines, uint32_t count)
{
	char now[128] = "", old[128] = "";
	unsigned number, column;
	int64_t i, first, last;
	struct line l = {0};
	struct str made = STR_INIT;
	bool good;

	if (sscanf(e->is, "copy of %u:%u with %127s for %127s", &number, &column, now, old) < 2 ||
	    !number || number > count)
		return NULL;
	l.text = lines[number - 1];
	read_tokens(&l);
	i = token_at(&l, column);
	good = i >= 0 && find_copied(&l, i, &first, &last);
	/* Of a declaration, what begins with the name is an assignment. */
	if (good && first < i && l.tokens.at[i].kind == TOKEN_WORD && is(&l, i + 1, "=") &&
	    !is(&l, i - 1, ".") && !is(&l, i - 1, "->"))
		first = i;
	good = good && last >= first && count_effects(&l, first, last) == e->operand &&
	       !(l.tokens.at[first].kind == TOKEN_WORD &&
	         l.tokens.at[first + (last > first)].kind == TOKEN_WORD && last > first) &&
	       !is_one_of(&l, first, keywords);
	for (int64_t n = first; good && n <= last; n++) {
		const struct token *t = &l.tokens.at[n];

		if (n > first && l.tokens.at[n - 1].at + l.tokens.at[n - 1].size < t->at)
			str_add(&made, " ");
		if (old[0] && t->kind == TOKEN_WORD && is(&l, n, old) && !is(&l, n - 1, ".") &&
		    !is(&l, n - 1, "->"))
			str_add(&made, now);
		else
			str_printf(&made, "%.*s", (int)t->size, l.text + t->at);
	}
	vec_deinit(&l.tokens);
	if (!good)
		return NULL;
	str_add(&made, ";");
	return str_steal(&made);
}

/* Tokens of several lines, one after the other. */
struct cursor {
	char *const *lines;
	uint32_t count;
	unsigned number;
	struct line l;
	int64_t i;
};

static bool cursor_next(struct cursor *c)
{
	c->i++;
	while (c->i >= (int64_t)c->l.tokens.size) {
		if (c->number >= c->count)
			return false;
		c->l.text = c->lines[c->number++];
		c->l.tokens.size = 0;
		read_tokens(&c->l);
		c->i = 0;
	}
	return !is(&c->l, c->i, "#");
}

static bool cursor_pass(struct cursor *c, const char *open, const char *close)
{
	int depth = 0;

	do {
		depth += is(&c->l, c->i, open) - is(&c->l, c->i, close);
		if (!depth)
			return true;
	} while (cursor_next(c));
	return false;
}

/* The `if` that the column is in the condition of, or at. -1: none. */
static int64_t find_if(const struct line *l, unsigned column)
{
	for (int64_t i = (int64_t)l->tokens.size - 1; i >= 0; i--)
		if (l->tokens.at[i].at + 1 <= column && is(l, i, "if"))
			return i;
	return -1;
}

/* if (c) X; becomes if (c) X; else Y; */
static void change_to_else(struct change *c, const struct edit_found *e, const char *text,
                           char *const *lines, uint32_t count)
{
	struct cursor at = {.lines = lines, .count = count, .number = e->line - 1, .i = -1};
	int64_t head = find_if(c->line, e->column);
	uint32_t end = 0;
	unsigned number = 0;
	bool good = head >= 0 && cursor_next(&at);
	char *made;

	at.i = head;
	good = good && at.number == e->line && cursor_next(&at) && is(&at.l, at.i, "(") &&
	       cursor_pass(&at, "(", ")") && cursor_next(&at);
	if (good && is(&at.l, at.i, "{"))
		good = cursor_pass(&at, "{", "}");
	else
		for (good = good && !is_one_of(&at.l, at.i, keywords);
		     good && !is(&at.l, at.i, ";");)
			good = cursor_next(&at);
	if (good) {
		end = token_end(&at.l, at.i);
		number = at.number;
		good = !cursor_next(&at) || !is(&at.l, at.i, "else");
	}
	vec_deinit(&at.l.tokens);
	if (!good) {
		c->why = "where the else belongs is not seen in the text";
		return;
	}
	made = str_format(" else %s", text);
	replace(c, end, end, made);
	c->number = number;
	free(made);
}

/* The last token before this line; false: it is another one. */
static bool is_before(char *const *lines, unsigned number, const char *text)
{
	bool same = false, known = false;

	for (unsigned n = number - 1; n > 0 && !known; n--) {
		struct line l = {.text = lines[n - 1]};

		read_tokens(&l);
		known = l.tokens.size;
		same = known && is(&l, (int64_t)l.tokens.size - 1, text);
		vec_deinit(&l.tokens);
	}
	return same;
}

/* An else more before an `if`, or one less. */
static void change_else(struct change *c, const struct edit_found *e, char *const *lines)
{
	const struct line *l = c->line;
	int64_t i = find_if(l, e->column);

	if (!strcmp(e->was, "if")) {
		bool brace = i > 0 ? is(l, i - 1, "}") : is_before(lines, e->line, "}");
		bool plain = i > 0 ? is(l, i - 1, ";") : is_before(lines, e->line, ";");

		if (i >= 0 && (brace || (plain && !e->operand)))
			replace(c, l->tokens.at[i].at, l->tokens.at[i].at, "else ");
		else
			c->why = "an else there could belong to another if";
		return;
	}
	/* It stands before the statement, or on a line above it that has nothing else. */
	for (unsigned number = e->line; number > 0 && number + 3 > e->line; number--) {
		struct line other = {.text = lines[number - 1]};
		bool found = false, more = false;

		read_tokens(&other);
		for (int64_t n = (int64_t)other.tokens.size - 1; n >= 0 && !found && !more; n--) {
			const struct token *t = &other.tokens.at[n];

			if (number == e->line && t->at + 1 >= e->column)
				continue;
			found = is(&other, n, "else");
			more = !found && !is(&other, n, "{") && !is(&other, n, "if") &&
			       !is(&other, n, "(");
			if (found)
				replace(c, t->at,
				        n + 1 < (int64_t)other.tokens.size
				                ? other.tokens.at[n + 1].at
				                : t->at + t->size,
				        "");
		}
		vec_deinit(&other.tokens);
		if (found && number != e->line)
			c->number = number;
		if (found || more)
			break;
	}
	if (!c->good)
		c->why = "the else is not seen in the text";
}

/* The label of a case stands before its first statement. */
static void change_case(struct change *c, const struct edit_found *e, char *const *lines)
{
	double wanted = strtod(e->was + 5, NULL), value;
	int code = atoi(e->is + 5);
	bool found = false;

	if (strncmp(e->is, "case ", 5) || strpbrk(e->is + 5, " ")) {
		c->why = "more than one label changes";
		return;
	}
	for (unsigned number = e->line; number > 0 && number + 8 > e->line && !found; number--) {
		struct line other = {.text = lines[number - 1]};

		read_tokens(&other);
		for (int64_t n = 0; n + 2 < (int64_t)other.tokens.size && !found; n++) {
			bool minus = is(&other, n + 1, "-");
			int64_t at = n + 1 + minus;

			if (!is(&other, n, "case") || !is(&other, at + 1, ":") ||
			    !number_of(&other, at, &value) || (minus ? -value : value) != wanted)
				continue;
			found = true;
			if (other.tokens.at[at].kind == TOKEN_TEXT && code >= ' ' && code < 127 &&
			    code != '\'' && code != '\\') {
				char made[] = {'\'', (char)code, '\'', 0};

				replace(c, other.tokens.at[n + 1].at, token_end(&other, at), made);
			} else {
				replace(c, other.tokens.at[n + 1].at, token_end(&other, at),
				        e->is + 5);
			}
		}
		vec_deinit(&other.tokens);
		if (found && number != e->line)
			c->number = number;
	}
	if (!found)
		c->why = "the label is not found in the text: it may be a macro or an enumerator";
}

/* Two lines are exchanged. */
static void change_moved(struct change *c, int64_t i, const struct edit_found *e,
                         char *const *lines, uint32_t count)
{
	const struct line *l = c->line;
	struct line next = {0};
	unsigned number, column;
	int64_t first, last, begin, end, at;

	c->why = "the statements are not alone on two lines that follow each other";
	if (sscanf(e->is, "after %u:%u", &number, &column) != 2 || number != e->line + 1 ||
	    number > count || !begins_statement(lines, e->line))
		return;
	next.text = lines[number - 1];
	read_tokens(&next);
	at = token_at(&next, column);
	if (i >= 0 && at >= 0 && find_statement(l, i, &first, &last) &&
	    find_statement(&next, at, &begin, &end) && !first && !begin &&
	    last == (int64_t)l->tokens.size - 1 && end == (int64_t)next.tokens.size - 1 &&
	    count_effects(l, first, last) == e->operand) {
		replace(c, 0, (uint32_t)strlen(l->text), next.text);
		c->second = mem_strdup(l->text);
	}
	vec_deinit(&next.tokens);
}

/* 'break if x < y' is `if (x < y) break;`. */
static void change_inserted(struct change *c, const struct edit_found *e, char *const *lines,
                            uint32_t count)
{
	const struct line *l = c->line;
	const char *if_ = e->kind == EDIT_LEFT_IF ? strstr(e->is, " if ") : NULL;
	char *text = e->kind == EDIT_COPIED ? copied_text(e, lines, count)
	             : if_ ? str_format("if (%s) %.*s;", if_ + 4, (int)(if_ - e->is), e->is)
	                   : mem_strdup(e->is);
	bool open = l->tokens.size && begins_statement(lines, e->line) && !is(l, 0, "else") &&
	            !is(l, 0, "}");
	int64_t i = token_at(l, e->column), first, last;
	char *made = NULL;

	if (!text) {
		c->why = "the statement that is copied is not on one line by itself";
	} else if (!strcmp(e->was, "else")) {
		change_to_else(c, e, text, lines, count);
	} else if (!strcmp(e->was, "after")) {
		/* After the last statement of a block; one that has no braces gets them. */
		if (i < 0 || !find_statement(l, i, &first, &last)) {
			c->why = "the statement is not on one line by itself";
		} else if (open && first == 0) {
			made = str_format(" %s", text);
			replace(c, token_end(l, last), token_end(l, last), made);
		} else if (!is_one_of(l, first, keywords) &&
		           (is(l, first - 1, "else") || is(l, first - 1, ")") ||
		            (!first && (is_before(lines, e->line, ")") ||
		                        is_before(lines, e->line, "else"))))) {
			made = str_format("{ %.*s %s }",
			                  (int)(token_end(l, last) - l->tokens.at[first].at),
			                  l->text + l->tokens.at[first].at, text);
			replace(c, l->tokens.at[first].at, token_end(l, last), made);
		} else {
			c->why = "there is no place for another statement without braces";
		}
	} else if (!strcmp(e->was, "before") && open) {
		made = str_format("%s ", text);
		replace(c, l->tokens.at[0].at, l->tokens.at[0].at, made);
	} else {
		c->why = "there is no place for another statement without braces";
	}
	free(made);
	free(text);
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

/* The tokens of an expression, p->n or a[i], of which the token at i is one. */
static bool find_words(const struct line *l, int64_t i, const char *text, int64_t *first,
                       int64_t *last)
{
	struct line words = {.text = text};
	bool found = false;

	read_tokens(&words);
	for (int64_t begin = i; begin >= 0 && begin + words.tokens.size > i && !found; begin--) {
		uint32_t n = 0;

		while (n < words.tokens.size && begin + n < l->tokens.size &&
		       l->tokens.at[begin + n].size == words.tokens.at[n].size &&
		       !memcmp(l->text + l->tokens.at[begin + n].at, text + words.tokens.at[n].at,
		               words.tokens.at[n].size))
			n++;
		found = n == words.tokens.size && n;
		*first = begin;
		*last = begin + n - 1;
	}
	vec_deinit(&words.tokens);
	return found;
}

/* Something else for a name or for the call of a function. */
static void change_word(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	size_t length = e->was ? strlen(e->was) : 0;
	int64_t first, last;
	char *name;

	if (i < 0)
		return;
	/* What an operator computes: with something after its right operand. */
	if (precedence(l, i) && is(l, i, e->was)) {
		int level = precedence(l, i);
		char *made;

		first = operand_end(l, i, -1, level);
		last = operand_end(l, i, 1, level);
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
	if (find_words(l, i, e->was, &first, &last))
		replace_word(c, first, last, e->is);
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

/* One character of a string literal. False: the string has none of that number. */
static bool change_character(struct change *c, int64_t i, uint32_t number, const char *is)
{
	const struct line *l = c->line;
	uint32_t at = l->tokens.at[i].at + 1, end = token_end(l, i) - 1;
	size_t length = strlen(is);
	char *made;

	/* Octal and hexadecimal escapes are not counted. */
	for (uint32_t n = 0; n < number && at < end; n++) {
		if (l->text[at] == '\\' && !strchr("ntrabfv\\'\"", l->text[at + 1]))
			return false;
		at += l->text[at] == '\\' ? 2 : 1;
	}
	if (at >= end || is[0] != '\'' || length < 3)
		return false;
	made = !strcmp(is, "'\"'")    ? mem_strdup("\\\"")
	       : !strcmp(is, "'\\''") ? mem_strdup("'")
	                              : mem_strndup(is + 1, length - 2);
	if (strcmp(made, "\\0"))
		replace(c, at, at + (l->text[at] == '\\' ? 2 : 1), made);
	free(made);
	return c->good;
}

/* 'a[3] is 5': the value that stands there. */
static void change_data(struct change *c, int64_t i, const struct edit_found *e)
{
	const struct line *l = c->line;
	const char *is_ = strstr(e->is, " is ") + 4, *was = strstr(e->was, " is ") + 4;
	struct line old = {.text = was};
	double wanted, value;
	bool minus = i >= 0 && is(l, i, "-"), number;

	read_tokens(&old);
	if (i >= 0 && minus)
		i++;
	if (i >= 0 && i < (int64_t)l->tokens.size && old.tokens.size) {
		bool negative = is(&old, 0, "-");

		number = negative + 1u == old.tokens.size && number_of(&old, negative, &wanted);
		if (number && number_of(l, i, &value) &&
		    (minus ? -value : value) == (negative ? -wanted : wanted)) {
			char *made = alike(l, i, is_);

			replace(c, l->tokens.at[i - minus].at, token_end(l, i), made);
			free(made);
		} else if (l->tokens.at[i].kind == TOKEN_TEXT &&
		           l->text[l->tokens.at[i].at] == '"' && was[0] != '"') {
			const char *bracket = strrchr(e->was, '[');

			if (bracket)
				change_character(c, i, (uint32_t)strtoul(bracket + 1, NULL, 10),
				                 is_);
		} else if (is(l, i, was)) {
			replace_token(c, i, is_);
		}
	}
	if (!c->good)
		c->why = "the value is not found in the text of the declaration";
	vec_deinit(&old.tokens);
}

const char *edit_character(struct arena *arena, int64_t code)
{
	static const char from[] = "\n\t\r\\'\a\b\f\v", to[] = "ntr\\'abfv";
	const char *known = code ? strchr(from, (int)code) : NULL;

	if (!code)
		return "'\\0'";
	if (code > 0 && code < 127 && known)
		return arena_printf(arena, "'\\%c'", to[known - from]);
	return code >= ' ' && code < 127 ? arena_printf(arena, "'%c'", (char)code)
	                                 : arena_printf(arena, "%lld", (long long)code);
}

#define MOST_LINES 5000u /* of an initialiser */

/* The text from a line on, without comments. Caller frees. */
static char *without_comments(char *const *lines, uint32_t count, unsigned line)
{
	struct str s = STR_INIT;
	char *text, *at;

	for (unsigned i = line; i <= count && i < line + MOST_LINES; i++)
		str_printf(&s, "%s\n", lines[i - 1]);
	text = str_steal(&s);
	for (at = text; *at;) {
		if (*at == '"' || *at == '\'') {
			char quote = *at++;

			while (*at && *at != quote && *at != '\n')
				at += at[0] == '\\' && at[1] ? 2 : 1;
			at += *at != '\0';
		} else if (at[0] == '/' && at[1] == '/') {
			while (*at && *at != '\n')
				*at++ = ' ';
		} else if (at[0] == '/' && at[1] == '*') {
			while (*at && (at[0] != '*' || at[1] != '/')) {
				if (*at != '\n')
					*at = ' ';
				at++;
			}
			for (int n = 0; n < 2 && *at; n++)
				*at++ = ' ';
		} else {
			at++;
		}
	}
	return text;
}

/* The first token of item `number` in the braces that open at i; -1: the items cannot be counted. */
static int64_t find_item(const struct line *l, int64_t i, uint32_t number)
{
	int depth = 0;

	if (!is(l, i, "{"))
		return -1;
	for (i++; i < (int64_t)l->tokens.size; i++) {
		bool begins = !depth && (is(l, i - 1, "{") || is(l, i - 1, ","));

		/* Designators, directives, macros with arguments: anything may come of them. */
		if (is(l, i, "#") || (begins && (is(l, i, ".") || is(l, i, "["))) ||
		    (is(l, i, "(") && l->tokens.at[i - 1].kind == TOKEN_WORD &&
		     !is(l, i - 1, "sizeof")))
			return -1;
		if (begins && !number)
			return is(l, i, "}") ? -1 : i;
		if (is(l, i, "{") || is(l, i, "("))
			depth++;
		else if ((is(l, i, "}") || is(l, i, ")")) && depth-- == 0)
			return -1;
		else if (!depth && is(l, i, ","))
			number--;
	}
	return -1;
}

bool edit_find_entry(char *const *lines, uint32_t count, const char *name,
                     const uint32_t *positions, uint32_t depth, unsigned *line, unsigned *column)
{
	char *text = *line && *line <= count ? without_comments(lines, count, *line) : NULL;
	struct line l = {.text = text ? text : ""};
	int64_t i = 0;
	bool found = false;

	read_tokens(&l);
	/* int name[3][2] = ; a structure may have the same name: struct name name = */
	for (bool here = false; !here && i < (int64_t)l.tokens.size && !is(&l, i, ";"); i++) {
		int64_t after = i + 1;

		if (!is(&l, i, name))
			continue;
		while (is(&l, after, "[") && partner(&l, after) > 0)
			after = partner(&l, after) + 1;
		here = is(&l, after, "=");
		i = here ? after : i;
	}
	if (is(&l, i - 1, "=")) {
		for (uint32_t d = 0; d < depth && i >= 0; d++)
			i = find_item(&l, i, positions[d]);
		if (i >= 0 && i < (int64_t)l.tokens.size && !is(&l, i, "{")) {
			unsigned at = *line;
			const char *begin = text;

			for (const char *c = text; c < text + l.tokens.at[i].at; c++)
				if (*c == '\n') {
					at++;
					begin = c + 1;
				}
			*line = at;
			*column = (unsigned)(text + l.tokens.at[i].at - begin) + 1;
			found = true;
		}
	}
	vec_deinit(&l.tokens);
	free(text);
	return found;
}

/* --- names of constants --- */

char *edit_constant_name(const char *text, unsigned column, char what, uint32_t operand,
                         int64_t *plus)
{
	struct line l = {.text = text};
	int64_t i, first, last;
	char *name = NULL;
	double value;
	bool fits = false;

	read_tokens(&l);
	i = token_at(&l, column);
	if (i >= 0)
		fits = what == 'o'   ? precedence(&l, i) || (is_assignment(&l, i) && operand)
		       : what == '=' ? is(&l, i, "=") || is(&l, i + 1, "=") || is(&l, i, "return")
		       : what == 'r' ? is(&l, i, "return")
		                     : is(&l, i + 1, "(");
	if (fits && find_constant(&l, i, operand, &first, &last)) {
		while (is(&l, first, "(") && is(&l, last, ")") && partner(&l, first) == last) {
			first++;
			last--;
		}
		*plus = 0;
		/* MAX - 1 */
		if (last == first + 2 && (is(&l, first + 1, "+") || is(&l, first + 1, "-")) &&
		    l.tokens.at[last].kind == TOKEN_NUMBER && number_of(&l, last, &value)) {
			*plus = is(&l, first + 1, "-") ? -(int64_t)value : (int64_t)value;
			last = first;
		}
		if (first == last && l.tokens.at[first].kind == TOKEN_WORD)
			name = mem_strndup(text + l.tokens.at[first].at, l.tokens.at[first].size);
	}
	vec_deinit(&l.tokens);
	return name;
}

/* The literal at tokens from i on, perhaps negative or in brackets, up to where `end` says. */
static bool read_definition(const struct line *l, int64_t i, const char *end,
                            struct edit_definition *d)
{
	bool brackets = is(l, i, "("), minus;
	const struct token *t;

	i += brackets;
	minus = is(l, i, "-");
	if (i + minus >= (int64_t)l->tokens.size || !number_of(l, i + minus, &d->value))
		return false;
	t = &l->tokens.at[i];
	d->column = t->at + 1;
	d->character = l->tokens.at[i + minus].kind == TOKEN_TEXT;
	d->real = !d->character &&
	          memchr(l->text + l->tokens.at[i + minus].at, '.', l->tokens.at[i + minus].size);
	if (minus)
		d->value = -d->value;
	i += minus + 1;
	if (brackets && !is(l, i++, ")"))
		return false;
	return i == (int64_t)l->tokens.size || (*end && (is(l, i, ",") || is(l, i, "}")));
}

static struct edit_definition *find_definition(struct edit_definitions *all, const char *name,
                                               size_t length)
{
	for (uint32_t i = 0; i < all->size; i++)
		if (strlen(all->at[i].name) == length && !memcmp(all->at[i].name, name, length))
			return &all->at[i];
	return NULL;
}

void edit_read_definitions(char *const *lines, uint32_t count, struct edit_definitions *out)
{
	char *text = count ? without_comments(lines, count, 1) : mem_strdup("");
	uint32_t number = 0;
	bool in_enum = false;

	/* Once for the names, once for their uses. */
	for (int uses = 0; uses < 2; uses++) {
		number = 0;
		for (char *at = text; *at;) {
			size_t length = strcspn(at, "\n");
			char *own = mem_strndup(at, length);
			struct line l = {.text = own};
			bool define;

			at += length + (at[length] == '\n');
			number++;
			read_tokens(&l);
			define = is(&l, 0, "#") && is(&l, 1, "define") && l.tokens.size > 2;
			for (uint32_t t = 0; t < l.tokens.size; t++) {
				struct edit_definition d = {.line = number}, *known;
				const char *word = own + l.tokens.at[t].at;

				if (is(&l, t, "enum"))
					in_enum = true;
				if (is(&l, t, "}") || is(&l, t, ";"))
					in_enum = false;
				if (l.tokens.at[t].kind != TOKEN_WORD)
					continue;
				known = find_definition(out, word, l.tokens.at[t].size);
				if (uses) {
					/* A definition of something else: its value may depend on it. */
					if (known && known->line != number)
						known->uses++;
					continue;
				}
				if (define ? t != 2 : !(in_enum && is(&l, t + 1, "=")))
					continue;
				if (known) {
					known->several = true;
				} else if (define ? read_definition(&l, 3, "", &d)
				                  : read_definition(&l, t + 2, ",", &d)) {
					d.name = mem_strndup(word, l.tokens.at[t].size);
					*vec_push(out) = d;
				}
			}
			vec_deinit(&l.tokens);
			free(own);
		}
	}
	free(text);
}

void edit_definitions_deinit(struct edit_definitions *all)
{
	for (uint32_t i = 0; i < all->size; i++)
		free(all->at[i].name);
	vec_deinit(all);
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

/* --- other types --- */

static const char *const qualifiers[] = {"static", "register", "auto", "const", NULL};
static const char *const type_words[] = {"unsigned", "signed", "int",    "long",  "short",
                                         "char",     "float",  "double", "const", NULL};

/* Has a list such as `double a, b` the name of this token, after its type? */
static bool is_named(const struct line *l, int64_t i, const struct line *list)
{
	for (int64_t n = 0; n < (int64_t)list->tokens.size; n++)
		if (!is_one_of(list, n, type_words) && list->tokens.at[n].kind == TOKEN_WORD &&
		    list->tokens.at[n].size == l->tokens.at[i].size &&
		    !memcmp(list->text + list->tokens.at[n].at, l->text + l->tokens.at[i].at,
		            l->tokens.at[i].size))
			return true;
	return false;
}

/* Does another line declare the function, too, or may a header? Its name is the token at i. */
static bool has_prototype(const struct line *l, int64_t i, char *const *lines, uint32_t count,
                          unsigned own)
{
	bool found = false, hidden = is(l, 0, "static");

	for (uint32_t n = 0; n < count && !found; n++) {
		struct line other = {.text = lines[n]};

		if (n + 1 == own)
			continue;
		read_tokens(&other);
		found = !hidden && is(&other, 0, "#") && is(&other, 1, "include") &&
		        !is(&other, 2, "<");
		for (int64_t t = 1; t + 1 < (int64_t)other.tokens.size; t++)
			found |= is_named(&other, t,
			                  &(struct line){l->text, {&l->tokens.at[i], 1, 1}}) &&
			         is(&other, t + 1, "(") &&
			         (is(&other, t - 1, "*") ||
			          (other.tokens.at[t - 1].kind == TOKEN_WORD &&
			           !is_one_of(&other, t - 1, keywords)));
		vec_deinit(&other.tokens);
	}
	return found;
}

/* `float a, b;` becomes `double a, b;`, and, where only b is changed, `float a; double b;`. The token at i is a name. */
static void change_declared(struct change *c, int64_t i, const struct edit_found *e,
                            char *const *lines, uint32_t count)
{
	const struct line *l = c->line;
	struct line now = {.text = e->is};
	int64_t begin = i, type, end, from, first = -1, last = -1, declarators = 0, named = 0;
	uint32_t length = 0;
	int depth = 0;

	read_tokens(&now);
	for (int64_t n = 0; is_one_of(&now, n, type_words); n++)
		length = token_end(&now, n);
	c->why = "the declaration is not one that can be changed in its line";
	if (i < 0 || !is_named(l, i, &now))
		goto out;
	for (; begin > 0; begin--) {
		depth += is(l, begin - 1, ")") - is(l, begin - 1, "(");
		if (depth < 0 || is(l, begin - 1, ";") || is(l, begin - 1, "{") ||
		    is(l, begin - 1, "}") || (e->part && !depth && is(l, begin - 1, ",")))
			break;
	}
	while (is_one_of(l, begin, qualifiers))
		begin++;
	type = end = begin;
	while (is_one_of(l, end, type_words))
		end++;
	end += end == type && end < i && l->tokens.at[end].kind == TOKEN_WORD;
	if (end == type || end > i)
		goto out;
	if (e->part) {
		int64_t open = begin - 1;

		for (depth = 0; open >= 0 && !(depth == 0 && is(l, open, "(")); open--)
			depth += is(l, open, ")") - is(l, open, "(");
		if (end != i || open < 1)
			goto out;
		if (has_prototype(l, open - 1, lines, count, e->line))
			c->why = "the function is declared elsewhere, too";
		else
			replace(c, l->tokens.at[type].at, token_end(l, end - 1), "");
	} else {
		/* The declarators: how many, and how many of them change. */
		for (from = end, depth = 0; from < (int64_t)l->tokens.size;) {
			int64_t to = from;

			for (; to < (int64_t)l->tokens.size &&
			       (depth || (!is(l, to, ",") && !is(l, to, ";")));
			     to++)
				depth += is(l, to, "(") + is(l, to, "[") + is(l, to, "{") -
				         is(l, to, ")") - is(l, to, "]") - is(l, to, "}");
			if (to == (int64_t)l->tokens.size)
				goto out;
			declarators++;
			if (l->tokens.at[from].kind == TOKEN_WORD && is_named(l, from, &now) &&
			    (to == from + 1 || is(l, from + 1, "="))) {
				named++;
				first = from;
				last = to - 1;
			}
			from = to + 1;
			if (is(l, to, ";"))
				break;
		}
		from--;
		if (!is(l, from, ";") || first < 0)
			goto out;
		if (named == declarators) {
			replace(c, l->tokens.at[type].at, token_end(l, end - 1), "");
		} else if (named == 1 && first == i && begin == type &&
		           !(type > 0 && is(l, type - 1, "("))) {
			/* It gets a declaration of its own, after the others. */
			bool head = first == end;
			uint32_t gap = head ? l->tokens.at[first].at : token_end(l, first - 2);
			uint32_t after = head ? l->tokens.at[last + 2].at : token_end(l, last);

			for (int64_t n = end; n < from; n++)
				if (n != first && l->tokens.at[n].kind == TOKEN_WORD &&
				    is_named(l, n, &now))
					goto out;
			replace(c, gap, token_end(l, from), "");
			str_printf(&c->text, "%.*s %.*s %.*s;", (int)(token_end(l, from) - after),
			           l->text + after, (int)length, e->is,
			           (int)(token_end(l, last) - l->tokens.at[first].at),
			           l->text + l->tokens.at[first].at);
			goto out;
		}
	}
	if (c->good)
		str_printf(&c->text, "%.*s", (int)length, e->is);
out:
	vec_deinit(&now.tokens);
}

static void change(struct change *c, const struct edit_found *e, char *const *lines, uint32_t count)
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
	case EDIT_VALUE:
		if (!strcmp(e->was, "condition"))
			change_condition(c, i, e);
		else
			change_value(c, i, e);
		break;
	case EDIT_EXCHANGED: change_arguments(c, i, e); break;
	case EDIT_TARGET: change_word(c, is_assignment(c->line, i) ? i - 1 : i, e); break;
	case EDIT_CALL_DROPPED:
	case EDIT_DELETED:
	case EDIT_GUARDED: change_statement(c, i, e, lines); break;
	case EDIT_COPIED:
	case EDIT_PRINTED:
	case EDIT_ASSIGNED:
	case EDIT_LEFT:
	case EDIT_LEFT_IF: change_inserted(c, e, lines, count); break;
	case EDIT_MOVED: change_moved(c, i, e, lines, count); break;
	case EDIT_ELSE: change_else(c, e, lines); break;
	case EDIT_CASE:
		if (!strcmp(e->is, "break;"))
			change_inserted(c, e, lines, count);
		else if (is(c->line, i, "break"))
			change_statement(c, i, e, lines);
		else
			change_case(c, e, lines);
		break;
	case EDIT_TEXT:
	case EDIT_ANSWER: change_literal(c, i, e); break;
	case EDIT_INITIAL:
	case EDIT_ENTRY: change_data(c, i, e); break;
	case EDIT_DEFINED:
		if (e->part)
			c->why = "the name is used where the program was not changed, too";
		else
			change_data(c, i, e);
		break;
	case EDIT_WIDER: change_width(c, i, e); break;
	case EDIT_DECLARED: change_declared(c, i, e, lines, count); break;
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

static void write_patch(const struct edit_found *e, unsigned number, char *const *lines,
                        uint32_t count, const char *now, const char *second, struct edit_text *out)
{
	uint32_t first = number > CONTEXT ? number - CONTEXT : 1;
	uint32_t end = number + (second != NULL); /* the last line that is changed */
	uint32_t last = end + CONTEXT < count ? end + CONTEXT : count;
	bool gone = true;
	struct str p = STR_INIT;

	for (const char *at = now; *at; at++)
		gone &= isspace((unsigned char)*at) != 0;
	str_printf(&p, "--- %s\n+++ %s\n@@ -%u,%u +%u,%u @@\n", e->file, e->file, first,
	           last - first + 1, first, last - first + 1 - gone);
	for (uint32_t i = first; i <= last; i++) {
		if (i < number || i > end) {
			str_printf(&p, " %s\n", lines[i - 1]);
			continue;
		}
		str_printf(&p, "-%s\n", lines[i - 1]);
		if (i < end)
			continue;
		if (!gone)
			str_printf(&p, "+%s\n", now);
		if (second)
			str_printf(&p, "+%s\n", second);
	}
	out->patch = str_steal(&p);
}

static char *joined(const char *a, const char *b)
{
	while (isspace((unsigned char)*a))
		a++;
	while (b && isspace((unsigned char)*b))
		b++;
	return b ? str_format("%s %s", a, b) : mem_strdup(a);
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
		change(&c, e, lines, count);
	} else {
		c.why = lines ? "the line is not in the source"
		              : "the source is not there, or was changed since it was compiled";
	}
	if (c.good) {
		unsigned number = c.number ? c.number : e->line;
		char *now;

		text = lines[number - 1];
		now = str_format("%.*s%s%s", (int)c.from, text, str_text(&c.text), text + c.to);
		while (isspace((unsigned char)text[indent]))
			indent++;
		if (number == e->line)
			out->column = c.from + 1;
		out->before = joined(text, c.second ? lines[number] : NULL);
		out->after = c.second ? joined(now, c.second)
		                      : mem_strdup(strlen(now) > indent ? now + indent : "");
		out->mark = c.from > indent ? c.from - (unsigned)indent : 0;
		out->mark_length = (unsigned)c.text.length;
		if (c.second) {
			out->mark = 0;
			out->mark_length = (unsigned)strlen(out->after);
		}
		write_patch(e, number, lines, count, now, c.second, out);
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
	free(c.second);
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
