/* The facts about this one were found by hand, from the IR: hand.facts. */
struct pair {
	short a, b;
};

static int total;

static void add(int n)
{
	if (n > 2)
		total += n;
}

int main(void)
{
	struct pair p, q;
	int i;

	p.a = 1;
	p.b = 2;
	q = p;
	for (i = 0; i < 2; i++)
		add(q.b + i);
	return *(int *)&q + total == 0;
}
