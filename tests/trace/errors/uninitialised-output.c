#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int x;
	char buf[4];
	buf[0] = 'a';
	buf[1] = '\n';
	printf("%d\n", x);
	fflush(stdout);
	return write(1, buf, 4) == 77;
}
