// run: name
// run: name=red
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	char *name = strdup(argv[1]), *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	printf("%s ", name); /*end*/
	printf("%s\n", value ? value : "none");
	return 0;
}
