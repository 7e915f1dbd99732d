/* A division by zero whose operands are constants that were just stored. */
int main(void)
{
	int a[3] = {0};

	return a[1] / a[2];
}
