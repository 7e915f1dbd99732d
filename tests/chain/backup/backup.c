/* Extracts members of an archive over files that are there; each file that it replaces is kept as NAME~.
   The files are in memory: FILE... -- MEMBER..., where dir/ is a directory and a/b=text a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16
#define ROOM 32

enum error { NONE, EXISTS, FULL };

struct file {
	char name[ROOM];
	char text[ROOM];
};

static struct file files[MOST];
static int count;
static enum error error;

static char before[ROOM], after[ROOM]; /* of the last backup; after is "" if there was none */

static struct file *find(const char *name)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(files[i].name, name) == 0)
			return &files[i];
	}
	return NULL;
}

static struct file *create(const char *name)
{
	if (find(name)) {
		error = EXISTS;
		return NULL;
	}
	if (count == MOST) {
		error = FULL;
		return NULL;
	}
	snprintf(files[count].name, ROOM, "%s", name);
	return &files[count++];
}

static void backup(const char *name)
{
	struct file *old = find(name);
	after[0] = '\0';
	if (!old)
		return;
	snprintf(before, ROOM, "%s", name);
	snprintf(after, ROOM, "%.30s~", name);
	strcpy(old->name, after);
}

static void undo_backup(void)
{
	if (after[0])
		strcpy(find(after)->name, before);
	after[0] = '\0';
}

/* Makes the directories that a name needs. */
static int make_directories(const char *name)
{
	char path[ROOM];
	for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(path, ROOM, "%.*s", (int)(slash - name) + 1, name);
		error = NONE;
		create(path);
		if (error != NONE)
			return 0;
	}
	return 1;
}

static void extract(const char *member)
{
	char name[ROOM];
	const char *text = strchr(member, '=');
	struct file *file = NULL;
	snprintf(name, ROOM, "%.*s", (int)(text - member), member);
	backup(name);
	if (make_directories(name))
		file = create(name);
	if (file)
		snprintf(file->text, ROOM, "%s", text + 1);
	else
		undo_backup();
}

static void put(const char *given)
{
	char name[ROOM];
	const char *text = strchr(given, '=');
	struct file *file;
	snprintf(name, ROOM, "%.*s", text ? (int)(text - given) : ROOM, given);
	file = create(name);
	if (file && text)
		snprintf(file->text, ROOM, "%s", text + 1);
}

int main(int argc, char *argv[])
{
	int i = 1;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		put(argv[i]);
	for (i++; i < argc; i++)
		extract(argv[i]);
	for (int k = 0; k < count; k++)
		printf("%s %s\n", files[k].name, files[k].text);
	return 0;
}
