#include <string.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int admin = 0;
	char name[8];
	strcpy(name, "much too long");
	printf("%s\n", name);
	return admin == 0;
}
