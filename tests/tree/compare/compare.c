/* Who may do what: roles of users, and what a role is allowed. */
#include <stdio.h>
#include <string.h>

struct user {
	const char *name, *role;
};

static const struct user users[] = {
	{"ada", "admin"},
	{"bob", "editor"},
	{"cleo", "reader"},
};

static const struct user *find(const char *name)
{
	for (size_t i = 0; i < sizeof users / sizeof *users; i++)
		if (strcmp(users[i].name, name) == 0)
			return &users[i];
	return NULL;
}

static int may_write(const char *role)
{
	if (strcmp(role, "admin") == 0)
		return 1;
	return strcmp(role, "editor") > 0;
}

static int allowed(const char *name, const char *action)
{
	const struct user *user = find(name);
	if (!user)
		return 0;
	if (strcmp(action, "read") == 0)
		return 1;
	if (strcmp(action, "write") == 0)
		return may_write(user->role);
	return strcmp(user->role, "admin") == 0;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: may USER ACTION\n");
		return 2;
	}
	int yes = allowed(argv[1], argv[2]);
	printf("%s may%s %s\n", argv[1], yes ? "" : " not", argv[2]);
	return 0;
}
