/*
 * Pointers and what they point to: variables, parts of them, the end of an array (which is none).
 */
struct pair {
	int first, second;
};

static struct pair pairs[2];
static int *where = &pairs[1].first;

static int add(const int *from, const int *end)
{
	int sum = 0;

	while (from != end)
		sum += *from++;
	return sum;
}

int main(void)
{
	int list[3] = {1, 2, 3}, extra = 7;
	int *end = list + 3, *x = &extra, **px = &x;
	struct pair *last = &pairs[1];

	where = &last->second;
	*where = add(list + 2, end);
	return **px + pairs[1].second - last->second;
}
