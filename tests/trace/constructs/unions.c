/*
 * Unions, bit-fields, anonymous members.
 */
union word { unsigned u; float f; unsigned char byte[4]; void *p; };
struct flags { unsigned low : 3, high : 5; int sign : 2; _Bool on : 1; };
struct value { int kind; union { long i; double d; char text[8]; }; };
int main(void)
{
	union word w;
	struct flags f = {0};
	struct value v = {.kind = 1};

	w.f = 1.0f;
	w.byte[0] = w.byte[3];
	w.p = &v;
	f.high = 9;
	f.sign = -1;
	f.on = f.high > f.low;
	f.low++;
	v.d = 0.5;
	v.text[1] = 'b';
	return f.on && v.kind;
}
