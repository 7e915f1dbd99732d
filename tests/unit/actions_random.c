/*
 * Random calls of every function in libc.model, with random memory and effects: no crash (the
 * sanitizers look on), the same list each time, and what actions.h promises of every list.
 */
#include "actions_call.h"

static uint64_t seed;

static uint64_t random_bits(void)
{
	seed += 0x9e3779b97f4a7c15ull;
	uint64_t z = seed;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint64_t below(uint64_t n)
{
	return random_bits() % n;
}

/* Mostly addresses and small numbers, sometimes nonsense. */
static uint64_t random_word(void)
{
	switch (below(8)) {
	case 0: return 0;
	case 1: return below(100);
	case 2: return ~below(100);
	case 3: return random_bits();
	case 4: return 1ull << below(64);
	default: return BASE + below(ROOM);
	}
}

/* --- making up a call --- */

static void make_memory(void)
{
	static const char text[] = "%d %s%5.*ls%2$n%-08hhx%Lf%c ab\0\0\0\0";

	for (uint32_t i = 0; i < ROOM; i++)
		bytes_of[i] = (uint8_t)(below(4) ? text[(i + below(2)) % sizeof(text)]
		                                 : (char)random_bits());
	memset(known_of, 1, sizeof(known_of));
	for (uint64_t n = below(20); n > 0; n--)
		known_of[below(ROOM)] = 0;
	for (uint64_t n = below(50); n > 0; n--) {
		uint64_t word = random_word();

		memcpy(&bytes_of[below(ROOM / 8) * 8], &word, 8);
	}
	object_at = BASE + below(ROOM);
	object_bytes = random_word();
}

static void make_effects(void)
{
	static const uint8_t kinds[] = {HENCE_WROTE, HENCE_INPUT, HENCE_OUTPUT,    HENCE_WROTE,
	                                HENCE_FREED, HENCE_SEEN,  HENCE_ALLOCATED, HENCE_OPENED,
	                                HENCE_TEXT,  HENCE_CLOSED};
	uint64_t address = random_word();

	str_deinit(&effect_bytes);
	for (uint64_t n = below(8); n > 0; n--) {
		uint8_t kind = kinds[below(sizeof(kinds))];
		bool bytes = kind == HENCE_WROTE || kind == HENCE_SEEN || kind == HENCE_TEXT;

		if (below(2))
			address = random_word();
		effect(kind, (uint32_t)below(5), (int32_t)below(4) - 2, address, random_word(),
		       bytes ? below(300) : random_word(), bytes ? (const void *)bytes_of : NULL);
	}
}

static void make_call(const struct outside_table *table, uint32_t function)
{
	static const char letters[] = "lpppiiidbsqefS";
	static char signature[32];
	uint64_t count = below(12);

	current = (struct actions_call){.table = table,
	                                .model = outside_table_function(table, function),
	                                .arguments = current_arguments,
	                                .count = (uint32_t)(below(9) ? count : below(30)),
	                                .signature = signature};
	for (uint64_t i = 0; i <= count; i++)
		signature[i] = letters[below(sizeof(letters) - 1)];
	signature[count + 1] = '\0';
	for (uint32_t i = 0; i < 32; i++)
		current_arguments[i] = random_word();
}

/* --- what must hold for every list --- */

static bool is_read(uint8_t kind)
{
	return kind <= ACTION_TEXT;
}

static void check_feeds(const struct action *action)
{
	uint32_t feeds = action->feeds;

	if (feeds == ACTIONS_ALL || feeds == ACTIONS_RESULT)
		return;
	assert_true(feeds <= made.list.size);
	assert_in_range(made.list.at[feeds - 1].kind, ACTION_WROTE, ACTION_PERMUTED);
}

static void check_extent(const struct action *action, uint64_t address)
{
	assert_in_range(action->size, 1, ACTIONS_MOST);
	assert_true(action->size <= UINT64_MAX - address);
}

static void check_list(void)
{
	bool changes = false;

	for (uint32_t i = 0; i < made.list.size; i++) {
		const struct action *action = &made.list.at[i];

		changes |= !is_read(action->kind) && action->kind != ACTION_UNKNOWN;
		if (changes)
			assert_false(is_read(action->kind));
		if (action->kind == ACTION_READ)
			check_feeds(action);
		if (action->kind == ACTION_READ || action->kind == ACTION_COPIED)
			check_extent(action, action->from);
		if (action->kind == ACTION_COPIED || action->kind == ACTION_FILLED)
			check_extent(action, action->to);
	}
}

/* Each effect is there, but inputs from memory, which are reads. */
static void check_effects(void)
{
	struct effects left = take_effects();
	struct effect effect;
	uint32_t effects = 0, actions = 0;

	while (effects_next(&left, &effect))
		effects += effect.head.kind != HENCE_INPUT || effect.head.stream != -1;
	for (uint32_t i = 0; i < made.list.size; i++)
		switch (made.list.at[i].kind) {
		case ACTION_TEXT:
		case ACTION_WROTE:
		case ACTION_PERMUTED:
		case ACTION_SEEN:
		case ACTION_ALLOCATED:
		case ACTION_FREED:
		case ACTION_INPUT:
		case ACTION_OUTPUT:
		case ACTION_OPENED:
		case ACTION_CLOSED: actions++; break;
		default: break;
		}
	assert_int_equal(actions, effects);
}

/* --- running --- */

static void run_call(uint64_t result, uint32_t size)
{
	struct effects effects = take_effects();
	uint64_t words[2] = {result, result};

	actions_begin(&current, &sim, &effects, &made);
	check_list();
	actions_callback(&current, &sim, current_arguments[below(4)], &made);
	actions_end(&current, &sim, (const uint8_t *)words, size, &effects, &made);
	check_list();
	check_effects();
}

static void run_twice(const struct outside_table *table, uint32_t function)
{
	static struct action first[4096];
	uint64_t result = random_word(), begin = seed;
	uint32_t size = (uint32_t)below(3) * 8, count;

	for (int i = 0; i < 2; i++) {
		seed = begin;
		make_effects();
		make_call(table, function);
		run_call(result, size);
		count = made.list.size < 4096 ? made.list.size : 4096;
		if (i == 0) {
			memcpy(first, made.list.at, count * sizeof(*first));
			continue;
		}
		for (uint32_t k = 0; k < count; k++) /* bytes lie elsewhere now */
			first[k].bytes = made.list.at[k].bytes;
		assert_memory_equal(first, made.list.at, count * sizeof(*first));
	}
}

static void test_all_functions(void **state)
{
	const struct outside_table *table = table_bytes;
	int rounds = getenv("HENCE_TEST_LONG") ? 200 : 10;

	for (int round = 0; round < rounds; round++) {
		seed = (uint64_t)round;
		make_memory();
		for (uint32_t i = 0; i < table->function_count; i++)
			run_twice(table, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_all_functions, setup),
	};

	return cmocka_run_group_tests(tests, NULL, cleanup);
}
