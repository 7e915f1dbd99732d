/* First member of the library. */
#include <stdlib.h>

#include "stack.h"

struct stack {
	int used, room, *values;
};

struct stack *stack_new(int room)
{
	struct stack *s = malloc(sizeof(*s));

	s->used = 0;
	s->room = room;
	s->values = malloc((size_t)room * sizeof(int));
	return s;
}

void stack_push(struct stack *s, int v)
{
	if (s->used == s->room)
		s->values = grow(s->values, &s->room);
	s->values[s->used++] = v;
}

int stack_pop(struct stack *s, int *v)
{
	if (!s->used)
		return 0;
	*v = s->values[--s->used];
	return 1;
}

void stack_free(struct stack *s)
{
	free(s->values);
	free(s);
}
