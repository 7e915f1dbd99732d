/*
 * Arrays of several dimensions and of variable length, pointers into them.
 */
static short grid[2][3];
int main(int argc, char **argv)
{
	int a[4] = {1, 2}, n = argc + 2;
	char text[8] = "abc", *p = text, *const *q = &p;
	int v[n];
	short (*row)[3] = grid;

	a[argc + 1] = a[1];
	grid[1][2] = 7;
	row[1][0] = grid[1][2];
	(*row)[1] = 8;
	*p++ = 'A';
	*p = p[1];
	*(p + 2) = 'x';
	*--p = 'B';
	(*q)[1] = 'y';
	for (int i = 0; i < n; i++)
		v[i] = a[i];
	return v[n - 1];
}
