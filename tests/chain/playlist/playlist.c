/* A list of songs: +NAME appends one, -NAME takes it out. Prints the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct song {
	const char *name;
	struct song *next;
};

struct list {
	struct song *head, *tail;
};

static void append(struct list *list, const char *name)
{
	struct song *song = malloc(sizeof *song);
	song->name = name;
	song->next = NULL;
	if (list->tail)
		list->tail->next = song;
	else
		list->head = song;
	list->tail = song;
}

static void take_out(struct list *list, const char *name)
{
	struct song *before = NULL;
	struct song *song = list->head;
	while (song && strcmp(song->name, name) != 0) {
		before = song;
		song = song->next;
	}
	if (!song)
		return;
	if (before)
		before->next = song->next;
	else
		list->head = song->next;
	if (list->tail == song)
		list->tail = song->next;
	free(song);
}

int main(int argc, char *argv[])
{
	struct list list = {NULL, NULL};
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '+')
			append(&list, argv[i] + 1);
		else if (argv[i][0] == '-')
			take_out(&list, argv[i] + 1);
	}
	for (struct song *song = list.head; song; song = song->next)
		printf("%s\n", song->name);
	return 0;
}
