/* Who may enter: members who have paid or are invited. Arguments: who is a member, who has paid, who is invited. */
#include <stdio.h>
#include <string.h>

static int enters(int member, int paid, int invited)
{
	if (member && paid && invited)
		return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int count = 0;

	for (int who = 'a'; argc == 4 && who <= 'h'; who++) {
		int yes = enters(strchr(argv[1], who) != NULL, strchr(argv[2], who) != NULL,
		                 strchr(argv[3], who) != NULL);

		if (yes)
			printf("%c enters\n", who);
		count += yes;
	}
	printf("%d in all\n", count);
	return 0;
}
