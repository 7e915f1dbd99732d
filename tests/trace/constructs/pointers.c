/*
 * Structures, lists, pointers to pointers.
 * args: one two
 */
#include <stddef.h>
struct cell { int value; char mark[4]; };
struct row { struct cell cells[3]; struct row *next; };
struct table { struct row *rows; int count; };
static struct row second = {.next = NULL}, first = {.next = &second};
static struct table table = {&first, 2};
static struct table *t = &table;
static void set(int *where, int value)
{
	*where = value;
}
int main(int argc, char **argv)
{
	struct row *r = t->rows, **rr = &r;
	char **arg = argv + 1;

	t->rows[0].cells[2].value = 4;
	t->rows->next->cells[1].mark[3] = argv[2][0];
	(*rr)->cells[0].value = first.cells[2].value + 1;
	for (; r; r = r->next)
		r->cells[1].value = t->count--;
	while (*arg)
		argc += **arg++;
	set(&second.cells[0].value, argc);
	set(&argc, 2);
	first = second;
	return table.rows->next == NULL;
}
