// kind: out-of-member
// asan: none (the bytes belong to the same variable)
// valgrind: none (the bytes belong to the same variable)
#include <stdio.h>
#include <string.h>

struct user {
	char name[8];
	char group[8];
};

int main(void)
{
	struct user u = {"", "users"}; /*declared*/
	strcpy(u.name, "administrator"); /*error*/
	puts(u.group);
	return 0;
}
