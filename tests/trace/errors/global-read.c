static int other = 7, table[4] = {1, 2, 3, 4};
int main(void)
{
	int n = 4;
	return table[n] == 99 && other;
}
