/* Votes come in from several places: NAME VOTES on each line, the same name perhaps more than once. Prints
   the votes of each name, and who won. */
#include <stdio.h>
#include <string.h>

#define MOST 20

struct party {
	char name[16];
	int places;
	long votes;
};

static struct party parties[MOST];
static int count;

static struct party *party_of(const char *name)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(parties[i].name, name))
			return &parties[i];
	if (count == MOST)
		return NULL;
	strcpy(parties[count].name, name);
	return &parties[count++];
}

static const struct party *winner(void)
{
	const struct party *best = &parties[0];

	for (int i = 1; i < count; i++)
		if (parties[i].votes > best->votes)
			best = &parties[i];
	return best;
}

int main(void)
{
	char name[16];
	long votes;

	while (scanf("%15s %ld", name, &votes) == 2) {
		struct party *p = party_of(name);

		if (!p)
			return 2;
		p->places++;
		p->votes = votes;
	}
	for (int i = 0; i < count; i++)
		printf("%s: %ld in %d places\n", parties[i].name, parties[i].votes, parties[i].places);
	printf("%s wins\n", winner()->name);
	return 0;
}
