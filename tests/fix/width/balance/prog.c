/* An account: prog MONEY PRICE ... */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned money = (unsigned)atoi(argv[1]); /* should be signed: there are debts */
	int owed = 0;

	for (int i = 2; i < argc; i++) {
		int price = atoi(argv[i]);

		money -= price;
		if (money < 0)
			owed++;
		printf("%d left\n", (int)money);
	}
	if (money < 0)
		printf("closed\n");
	else
		printf("open, %u notes\n", money / 10);
	printf("owed %d times\n", owed);
	return 0;
}
