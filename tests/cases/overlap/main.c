/* Overlapping moves, copies of structures inside arrays, self-assignment, string surgery in place.
 */
#include <stdio.h>
#include <string.h>

struct item {
	int key;
	char name[12];
};

static void insert(struct item *v, int *n, int at, int key)
{
	memmove(&v[at + 1], &v[at], (size_t)(*n - at) * sizeof(*v));
	v[at].key = key;
	snprintf(v[at].name, sizeof(v[at].name), "item%d", key);
	++*n;
}

static void erase(struct item *v, int *n, int at)
{
	--*n;
	memmove(&v[at], &v[at + 1], (size_t)(*n - at) * sizeof(*v));
}

static void rotate(char *text, size_t n)
{
	char first = text[0];

	memmove(text, text + 1, n - 1);
	text[n - 1] = first;
}

static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = 0;
}

static void reverse_words(char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n / 2; i++) {
		char t = s[i];

		s[i] = s[n - 1 - i];
		s[n - 1 - i] = t;
	}
}

int main(void)
{
	struct item items[20];
	char text[40] = "rotate me", spaced[] = " a b  c   d ", ring[] = "0123456789";
	int n = 0;

	for (int i = 0; i < 12; i++)
		insert(items, &n, i / 2, i * 5 % 12);
	for (int i = 0; i < 4; i++)
		erase(items, &n, i * 2);
	for (int i = 0; i < n; i++)
		printf("%d:%s ", items[i].key, items[i].name);
	items[0] = items[0];
	items[1] = items[n - 1];
	printf("\n%d %s\n", items[1].key, items[1].name);
	for (int i = 0; i < 3; i++)
		rotate(text, strlen(text));
	squeeze(spaced);
	reverse_words(ring);
	printf("%s|%s|%s\n", text, spaced, ring);
	for (size_t shift = 0; shift < 6; shift++) {
		char a[32] = "abcdefghijklmnopqrstuvwxyz", b[32] = "abcdefghijklmnopqrstuvwxyz";

		memmove(a + shift, a, 15);
		memmove(b, b + shift, 15);
		printf("%s %s\n", a, b);
	}
	return 0;
}
