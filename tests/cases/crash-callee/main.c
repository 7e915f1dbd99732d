/* Dies in a callee before its first branch: what its caller would write after the call is not there. */
static int *p, x = 5, a, b, c, d, e;
static int f(void)
{
	*p &= x;
	if (x)
		x = 3;
	return x;
}
int main(void)
{
	return f() + a + b + c + d + e + a + b + c + d + e;
}
