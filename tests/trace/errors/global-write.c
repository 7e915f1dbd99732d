int table[4], behind[8];
int main(void)
{
	int *p = table;
	for (int i = 0; i < 6; i++)
		p[i] = i;
	return behind[7];
}
