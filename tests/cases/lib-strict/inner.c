/* The lower library. */
static int calls;

int inner_square(int n);
int inner_calls(void);

static int helper(int n)
{
	calls++;
	return n * n;
}

int inner_square(int n)
{
	return helper(n);
}

int inner_calls(void)
{
	return calls;
}
