/* The floating-point environment: rounding modes, exception flags, saved environments. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

static volatile double one = 1, three = 3, huge = 1e308, tiny = 1e-308, zero;

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static void flags(const char *what)
{
	printf("%s:%s%s%s%s%s\n", what, fetestexcept(FE_INEXACT) ? " inexact" : "",
	       fetestexcept(FE_OVERFLOW) ? " overflow" : "",
	       fetestexcept(FE_UNDERFLOW) ? " underflow" : "",
	       fetestexcept(FE_DIVBYZERO) ? " divbyzero" : "",
	       fetestexcept(FE_INVALID) ? " invalid" : "");
	feclearexcept(FE_ALL_EXCEPT);
}

int main(void)
{
	volatile double r;
	volatile float f;
	fenv_t saved;

	for (int i = 0; i < 4; i++) {
		fesetround(modes[i]);
		r = one / three;
		f = (float)r;
		printf("%d %a %a %a %g %ld\n", fegetround() == modes[i], r, -one / three, (double)f,
		       rint(2.5), lrint(-1.5));
	}
	fesetround(FE_TONEAREST);
	feclearexcept(FE_ALL_EXCEPT);
	r = one + one;
	flags("exact");
	r = one / three;
	flags("third");
	r = huge * huge;
	flags("huge");
	r = tiny * tiny;
	flags("tiny");
	r = one / zero;
	flags("zero");
	r = sqrt(-one);
	flags("root");
	feholdexcept(&saved);
	fesetround(FE_UPWARD);
	r = one / three;
	feraiseexcept(FE_INVALID);
	flags("held");
	fesetenv(&saved);
	printf("%d %a\n", fegetround() == FE_TONEAREST, one / three);
	return 0;
}
