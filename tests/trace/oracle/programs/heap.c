/* Memory that the C library gives, moves, fills and takes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *bytes;
	size_t length, room;
};

static void put(struct text *t, char c)
{
	if (t->length + 1 >= t->room) {
		t->room = t->room ? 2 * t->room : 4;
		t->bytes = realloc(t->bytes, t->room);
	}
	t->bytes[t->length++] = c;
	t->bytes[t->length] = 0;
}

static int *table(int count)
{
	int *t = calloc((size_t)count, sizeof(*t));

	for (int i = 0; i < count; i += 2)
		t[i] = i * i;
	return t;
}

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

int main(void)
{
	struct text t = {NULL, 0, 0};
	char line[32], *copy;
	int *numbers = table(7), sum = 0;
	void *again;

	for (const char *s = "moving"; *s; s++)
		put(&t, *s);
	strcpy(line, t.bytes);
	strcat(line, " on");
	copy = strdup(line);
	line[2] = '-';
	sprintf(line + 4, "%d", 12345);
	memset(t.bytes, 'x', 3);
	for (int i = 0; i < 7; i++)
		sum += numbers[i];
	free(numbers);
	again = malloc(28);
	memcpy(again, line, 10);
	sum += ((char *)again)[4] + (int)(hash(line) & 255) + (int)(hash(copy) & 255);
	sum += (int)(hash(t.bytes) & 255);
	numbers = realloc(again, 8);
	sum += numbers[0] % 1000 + numbers[1] % 1000;
	printf("%d %s %s\n", sum, line, copy);
	free(copy);
	free(t.bytes);
	free(numbers);
	return 0;
}
