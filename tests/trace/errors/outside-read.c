#include <string.h>
int main(void)
{
	char a[4] = {'a', 'b', 'c', 'd'}, b[8];
	memcpy(b, a, 8);
	return b[7] == 77;
}
