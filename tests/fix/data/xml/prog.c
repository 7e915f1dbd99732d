/* Points as XML: prog NAME X Y ... */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	printf("<points>\n");
	for (int i = 1; i + 2 < argc; i += 3)
		printf("  <point name=\"%s\" x=\"%d\"y=\"%d\"/>\n", argv[i], atoi(argv[i + 1]), atoi(argv[i + 2]));
	printf("</points>\n");
	return 0;
}
