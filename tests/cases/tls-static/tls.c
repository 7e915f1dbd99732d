/* Variables and functions that the other file uses. */
#include "tls.h"

_Thread_local int tls_total = 7;

int tls_bump(void)
{
	static _Thread_local int step;

	tls_counter.n -= 2;
	return ++step * tls_total;
}

int *tls_address(void)
{
	return &tls_total;
}
