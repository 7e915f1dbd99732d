#include <stdlib.h>
#include <string.h>
#include "regex.h"

static void put_bit(unsigned char *set, unsigned char c)
{
	set[c / 8] |= 1 << c % 8;
}

/* From behind the '[' to behind the ']'. False: there is none. */
static int parse_set(const char **pattern, struct atom *atom)
{
	const char *at = *pattern;
	int negative = *at == '^';
	at += negative;
	const char *end = *at ? strchr(at + 1, ']') : NULL;
	if (!end)
		return 1;
	unsigned char *set = calloc(32, 1);
	for (; at < end; at++) {
		int last = (unsigned char)*at;
		if (at[1] == '-' && at + 2 < end)
			last = (unsigned char)at[2];
		for (int c = (unsigned char)*at; c <= last; c++)
			put_bit(set, c);
		if (at[1] == '-' && at + 2 < end)
			at += 2;
	}
	for (int i = 0; negative && i < 32; i++)
		set[i] = ~set[i];
	atom->kind = ATOM_SET;
	atom->what.set = set;
	*pattern = end + 1;
	return 1;
}

static enum repeat parse_repeat(const char **pattern)
{
	switch (**pattern) {
	case '*': ++*pattern; return ANY_NUMBER;
	case '+': ++*pattern; return AT_LEAST_ONE;
	case '?': ++*pattern; return OPTIONAL;
	default: return ONCE;
	}
}

static int parse_atom(const char **pattern, struct atom *atom)
{
	char c = *(*pattern)++;
	if (c == '[') {
		atom->kind = ATOM_SET;
		if (!parse_set(pattern, atom))
			return 0;
	} else if (c == '.') {
		atom->kind = ATOM_ANY;
	} else if (c == '*' || c == '+' || c == '?') {
		return 0;
	} else {
		atom->kind = ATOM_CHARACTER;
		atom->what.character = c;
	}
	atom->repeat = parse_repeat(pattern);
	return 1;
}

int regex_parse(struct regex *regex, const char *pattern)
{
	memset(regex, 0, sizeof *regex);
	if (*pattern == '^') {
		regex->from_start = 1;
		pattern++;
	}
	while (*pattern) {
		if (!strcmp(pattern, "$")) {
			regex->to_end = 1;
			break;
		}
		if (regex->count == 32 || !parse_atom(&pattern, &regex->atoms[regex->count]))
			return 0;
		regex->count++;
	}
	return 1;
}

void regex_free(struct regex *regex)
{
	for (int i = 0; i < regex->count; i++) {
		if (regex->atoms[i].kind == ATOM_SET)
			free(regex->atoms[i].what.set);
	}
}
