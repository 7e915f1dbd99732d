/* makecontext and swapcontext: generators on their own stacks. Works plainly; a recording stops
 * with a message. */
#include <stdio.h>
#include <ucontext.h>

static ucontext_t main_context, generator[2];
static char stacks[2][65536];
static int value, finished;

static void generate(int which, int step)
{
	for (int i = 0; i < 5; i++) {
		value = which * 1000 + i * step;
		swapcontext(&generator[which], &main_context);
	}
	finished++;
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		getcontext(&generator[i]);
		generator[i].uc_stack.ss_sp = stacks[i];
		generator[i].uc_stack.ss_size = sizeof(stacks[i]);
		generator[i].uc_link = &main_context;
		makecontext(&generator[i], (void (*)(void))generate, 2, i, i + 3);
	}
	for (int i = 0; i < 12; i++) {
		swapcontext(&main_context, &generator[i % 2]);
		printf("%d ", value);
	}
	printf("%d\n", finished);
	return 0;
}
