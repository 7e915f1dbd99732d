#include <stdio.h>
#include <string.h>
union word { unsigned u; unsigned char byte[4]; float f; struct { short low, high; }; };
struct tagged { int kind; union { int i; double d; char text[8]; }; };
int main(void)
{
	union word w;
	struct tagged t = {.kind = 1, .d = 2.5}, s;
	w.f = 1.0f;
	s.kind = 2;
	strcpy(s.text, "abc");
	if (w.byte[3] == 0x3f && w.high == 0x3f80)
		printf("%x %d\n", w.u, w.low);
	if (t.kind == 1 && t.d > 2)
		t.i = 3;
	printf("%d %s\n", t.i, s.text);
	return 0;
}
