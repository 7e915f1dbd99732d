/* Thread-local variables (exported, static, extern, arrays) and static locals, also in recursion.
 */
#include <stdio.h>

#include "tls.h"

static _Thread_local long hidden = 1000;
static __thread char text[16] = "thread";
_Thread_local struct counter tls_counter = {5, {1, 2, 3}};

static int next(void)
{
	static int n = 10;

	return n++;
}

static int own_state(int depth)
{
	static int calls, deepest;

	calls++;
	if (depth > deepest)
		deepest = depth;
	if (depth < 10 && calls % 3)
		own_state(depth + 1);
	if (calls > 30)
		return calls * 100 + deepest;
	return own_state(depth ? depth - 1 : 3);
}

static const char *named(int i)
{
	static char buffer[2][16];
	static int which;

	which ^= 1;
	snprintf(buffer[which], sizeof(buffer[0]), "name%d", i);
	return buffer[which];
}

static int *own(void)
{
	static _Thread_local int mine = 3;

	mine *= 2;
	return &mine;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		hidden += next();
		tls_total += i;
		tls_counter.v[i % 3] += tls_bump();
		text[i] = (char)(text[i] - 32);
	}
	printf("%ld %d %s %d\n", hidden, tls_total, text, tls_counter.n);
	printf("%d %d %d\n", tls_counter.v[0], tls_counter.v[1], tls_counter.v[2]);
	printf("%d %s %s\n", own_state(0), named(1), named(1));
	*own() += 1;
	printf("%d\n", *own());
	printf("%d %d\n", *tls_address(), tls_address() == &tls_total);
	return 0;
}
