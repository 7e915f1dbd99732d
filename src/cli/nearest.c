/* What a mistyped word was meant to be: the name with the fewest edits, if they are few. */
#include <string.h>

#include "cli/commands.h"

#define LONGEST 32

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Edit distance (Levenshtein), one row at a time. Both words are shorter than LONGEST. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1], length = strlen(b);

	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < length; k++) {
			size_t change = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			row[k + 1] = smallest(change, row[k] + 1, diagonal + 1);
		}
	}
	return row[length];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t least = strlen(word) / 2 + 1;

	if (strlen(word) >= LONGEST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t edits = distance(word, names[i]);

		if (edits > least || edits >= strlen(names[i]))
			continue;
		if (best && edits == least)
			continue;
		best = names[i];
		least = edits;
	}
	return best;
}
