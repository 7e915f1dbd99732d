/*
 * switch, goto, loops, computed goto.
 */
static const char *name(int day)
{
	switch (day) {
	case 0:
	case 6: return "rest";
	case 1: return "start";
	default: return "work";
	}
}
int main(void)
{
	void *where = &&out;
	char c = 'q';
	int n = 0;

	do
		n++;
	while (n < 2);
	switch (c) {
	case 'q': n = 10; break;
	case 'r': n = 11;
	}
	for (;;) {
		if (!name(n - 9)[4])
			goto *where;
		n--;
	}
out:
	return n;
}
