/* Atomics: C11 _Atomic of all sizes, __atomic and __sync builtins, compare-exchange loops, fences,
 * flags. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic int8_t a8 = 120;
static _Atomic uint16_t a16;
static _Atomic int a32 = -5;
static _Atomic uint64_t a64 = 1;
static _Atomic(double) adouble = 1.5;
static _Atomic bool abool;
static atomic_flag flag = ATOMIC_FLAG_INIT;

struct pair {
	int a, b;
};
static _Atomic struct pair apair;

struct node {
	struct node *next;
	int value;
};
static _Atomic(struct node *) top;

static void push(struct node *n)
{
	struct node *old = atomic_load(&top);

	do
		n->next = old;
	while (!atomic_compare_exchange_weak(&top, &old, n));
}

static struct node *pop(void)
{
	struct node *old = atomic_load(&top);

	while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
		;
	return old;
}

static void c11(void)
{
	int expected = 100;

	a8 += 3;
	a8++;
	a16 -= 7;
	a32 *= 6;
	a32 |= 0x40;
	a64 <<= 40;
	a64 ^= 0xff;
	adouble = adouble * 2.5;
	abool = !abool;
	printf("%d %u %d %llu %g %d\n", a8, a16, a32, (unsigned long long)a64, adouble, abool);
	printf("%d ", atomic_fetch_add(&a32, 10));
	printf("%d ", atomic_fetch_sub(&a32, 3));
	printf("%d ", atomic_fetch_and(&a32, 0xff));
	printf("%d\n", atomic_fetch_xor(&a32, 0x0f));
	printf("%d ", atomic_exchange(&a32, 55));
	printf("%d ", atomic_compare_exchange_strong(&a32, &expected, 1));
	printf("%d ", expected);
	printf("%d ", atomic_compare_exchange_strong(&a32, &expected, 2));
	printf("%d\n", atomic_load_explicit(&a32, memory_order_acquire));
	atomic_store_explicit(&a32, -1, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_acq_rel);
	printf("%d ", atomic_flag_test_and_set(&flag));
	printf("%d ", atomic_flag_test_and_set(&flag));
	atomic_flag_clear(&flag);
	printf("%d\n", atomic_flag_test_and_set(&flag));
}

static void builtins(void)
{
	static int x = 10;
	static uint64_t y = 1ULL << 40;
	static short s = -3;
	static char lock;
	int value, want = 12;

	printf("%d ", __atomic_add_fetch(&x, 2, __ATOMIC_RELAXED));
	printf("%d ", __atomic_compare_exchange_n(&x, &want, 77, false, __ATOMIC_SEQ_CST,
	                                          __ATOMIC_RELAXED));
	__atomic_load(&x, &value, __ATOMIC_ACQUIRE);
	printf("%d ", value);
	printf("%d ", __atomic_fetch_nand(&x, 0x0f, __ATOMIC_SEQ_CST));
	printf("%d ", __sync_fetch_and_or(&x, 0x100));
	printf("%d ", __sync_val_compare_and_swap(&s, -3, 9));
	printf("%d ", __sync_bool_compare_and_swap(&s, -3, 8));
	printf("%llu ", (unsigned long long)__atomic_sub_fetch(&y, 5, __ATOMIC_SEQ_CST));
	printf("%d ", __sync_lock_test_and_set(&lock, 1));
	__sync_lock_release(&lock);
	__sync_synchronize();
	printf("%d %d %d\n", lock, x, s);
}

static int maximum(_Atomic int *m, int v)
{
	int old = *m, tries = 0;

	while (old < v && !atomic_compare_exchange_weak(m, &old, v))
		tries++;
	return tries;
}

int main(void)
{
	struct node nodes[5];
	struct pair p = {3, 4}, q;
	_Atomic int local = 0;
	int sum = 0;

	c11();
	builtins();
	for (int i = 0; i < 5; i++) {
		nodes[i].value = i * i;
		push(&nodes[i]);
	}
	for (struct node *n; (n = pop());)
		sum = sum * 7 + n->value;
	atomic_store(&apair, p);
	p.a = 9;
	q = atomic_exchange(&apair, p);
	p = atomic_load(&apair);
	printf("%d %d %d\n", sum, q.a, p.a);
	for (int i = 0; i < 50; i++)
		sum += maximum(&local, i * 37 % 50);
	printf("%d\n", local);
	return 0;
}
