/* Tries the longest repetition first. */
#include "regex.h"

static int fits(const struct atom *atom, char c)
{
	unsigned char byte = c;
	if (!c)
		return 0;
	switch (atom->kind) {
	case ATOM_ANY: return 1;
	case ATOM_SET: return atom->what.set[byte / 8] >> byte % 8 & 1;
	default: return atom->what.character == c;
	}
}

static int match_here(const struct regex *regex, int index, const char *text);

static int match_repeated(const struct regex *regex, int index, const char *text)
{
	const struct atom *atom = &regex->atoms[index];
	int least = atom->repeat == ONCE || atom->repeat == AT_LEAST_ONE;
	int most = atom->repeat == ONCE || atom->repeat == OPTIONAL ? 1 : 1000;
	int count = 0;
	while (count < most && fits(atom, text[count]))
		count++;
	for (; count >= least; count--) {
		int rest = match_here(regex, index + 1, text + count);
		if (rest >= 0)
			return count + rest;
	}
	return -1;
}

/* The length of the match, -1 if there is none. */
static int match_here(const struct regex *regex, int index, const char *text)
{
	if (index == regex->count)
		return regex->to_end && *text ? -1 : 0;
	return match_repeated(regex, index, text);
}

int regex_find(const struct regex *regex, const char *text, int *length)
{
	for (int at = 0;; at++) {
		*length = match_here(regex, 0, text + at);
		if (*length >= 0)
			return at;
		if (!text[at] || regex->from_start)
			return -1;
	}
}
