__attribute__((weak)) int first(int x)
{
	if (x > 100)
		x = 3;
	for (int i = 0; i < 3; i++)
		x += i;
	return x * 2;
}

int second(int x)
{
	return x * 3;
}

__attribute__((weak)) int both(int x)
{
	int sum = 0;

	for (int i = 0; i < x; i++)
		sum += i;
	return sum;
}

int from_other(int x)
{
	return first(x) + second(x) + both(x) + 1000;
}
