/* A list of numbers: 3 adds one at the end, -3 removes it. Prints what is left. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

static struct node *head;

static void append(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	node->next = NULL;
	struct node **end = &head;
	while (*end)
		end = &(*end)->next;
	*end = node;
}

static void remove_value(int value)
{
	struct node *before = head;
	struct node *node = head;
	while (node && node->value != value)
		node = node->next;
	if (!node)
		return;
	if (node == head)
		head = node->next;
	else
		before->next = node->next;
	free(node);
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		int number = atoi(argv[i]);
		if (number > 0)
			append(number);
		else
			remove_value(-number);
	}
	for (struct node *at = head; at; at = at->next)
		printf("%d\n", at->value);
	return 0;
}
