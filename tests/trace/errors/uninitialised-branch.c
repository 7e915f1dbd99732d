int main(int argc, char **argv)
{
	int x;
	if (argc > 5)
		x = 1;
	if (x)
		return 1;
	return 0;
}
