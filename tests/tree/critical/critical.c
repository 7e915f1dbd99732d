/* The program by which critical conditions were explained: three lines could be changed. */
#include <assert.h>

int main(void)
{
	int a = 2, b = 1, c = 1, d = 0;
	if (a > 0) {
		if (b < 0)
			if (c != 2)
				c = 2;
		d = c + 3;
	}
	assert(d == 5);
	return 0;
}
