/*
 * Numbers of all kinds, operators and conditions.
 */
enum color { RED, GREEN = 5 };
static unsigned short count = 65535;
static const long long big = 1LL << 40;
int main(void)
{
	int i = 7, j = -3;
	unsigned char c = 'x';
	signed char s = -1;
	char letter = 'a';
	_Bool yes = i > j;
	enum color color = GREEN;
	double d = 1.5;
	float f = d * 2;
	long double x = f;
	long long sum = big + i;

	count++;
	i += j * 2;
	letter++;
	c = s;
	if (letter == 'b' && color == GREEN)
		color = RED;
	if (d >= 1.5 || i)
		d = i / 2;
	x = x * d;
	return yes ? sum == 3 : j;
}
