/* Freed memory is read by functions of the library, when the same address is in use again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *old = strdup("aa");
	char *fresh;

	free(old);
	fresh = strdup("bb");
	printf("%s\n", fresh);
	printf("%s\n", old);
	puts(old);
	return strlen(old) == 7;
}
