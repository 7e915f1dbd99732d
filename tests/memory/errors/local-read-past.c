// asan: stack-buffer-overflow
// valgrind: none (the stack is one piece of memory for it)
#include <stdio.h>

int main(void)
{
	int after[4] = {7, 7, 7, 7};
	int primes[4] = {2, 3, 5, 7}; /*declared*/
	int largest = after[0] - 7;
	for (int i = 0; i < 5; i++) /*index*/
		if (primes[i] > largest) /*error*/
			largest = primes[i];
	printf("%s\n", largest > 6 ? "yes" : "no");
	return 0;
}
