// kind: out-of-member
// asan: none (the bytes belong to the same variable)
// valgrind: none (the bytes belong to the same variable)
#include <stdio.h>

struct record {
	int marks[3];
	int sum;
};

int main(void)
{
	struct record r = {{0}, 0}; /*declared*/
	for (int i = 0; i <= 3; i++) /*index*/
		r.marks[i] = 1; /*error*/
	printf("%d\n", r.sum);
	return 0;
}
