int main(void)
{
	char before = 'b', buf[4];
	for (int i = 0; i < 5; i++)
		buf[i] = 'x';
	return before == 0;
}
