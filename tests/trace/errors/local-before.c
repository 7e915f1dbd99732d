int main(void)
{
	int guard = 1, a[3] = {0};
	int i = -1;
	guard = a[i];
	return guard == 77;
}
