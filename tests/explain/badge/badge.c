/* A badge with a name and a colour. */
#include <stdio.h>
#include <string.h>

struct badge {
	char name[8];
	char colour[8];
};

static void fill(struct badge *badge, const char *name, const char *colour)
{
	memset(badge, 0, sizeof *badge);
	strncpy(badge->name, name, sizeof badge->name);
	strncpy(badge->colour, colour, sizeof badge->colour - 1);
}

int main(int argc, char *argv[])
{
	struct badge badge;
	if (argc != 3)
		return 2;
	fill(&badge, argv[1], argv[2]);
	printf("name: %s\n", badge.name);
	printf("colour: %s\n", badge.colour);
	return 0;
}
