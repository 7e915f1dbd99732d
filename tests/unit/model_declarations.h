/*
 * Declarations of all kinds, for the unit tests of C types. The code is compiled twice, by clang
 * into the module and by the test's compiler into the test, so that offsets, sizes and bytes come
 * from a source of their own.
 */
#ifndef HENCE_TESTS_UNIT_MODEL_DECLARATIONS_H
#define HENCE_TESTS_UNIT_MODEL_DECLARATIONS_H

#include "model_source.h"

#include <complex.h>

#include "model/variables.h"

/* clang-format off */
#define CODE                                                                                       \
	struct list { struct list *next; int key; };                                               \
	typedef struct list List; typedef List Items;                                              \
	typedef int (*handler)(const char *, ...);                                                 \
	typedef int four __attribute__((vector_size(16)));                                         \
	enum color { RED = -1, GREEN, BLUE = 7 };                                                  \
	enum mode { READ = 1, WRITE = 2, EXEC = 4 };                                               \
	enum wide { HUGE_ONE = 0xffffffffffffffff };                                               \
	struct point { int x, y; };                                                                \
	struct shape {                                                                             \
		char kind; struct point pos[3];                                                    \
		union { int i; float f; struct { short low, high; }; };                            \
		struct { double weight; };                                                         \
		handler on; enum color color;                                                      \
	};                                                                                         \
	struct bits { unsigned a : 3, b : 5; signed c : 4; _Bool d : 1; unsigned char after;       \
	              long long e : 40; enum mode m : 3; };                                        \
	struct packet { unsigned short length; char data[]; };                                     \
	struct oldstyle { int n; struct point at[1]; };                                            \
	union word { unsigned all; struct { unsigned low : 4, high : 4; } nibbles;                 \
	             unsigned char bytes[4]; double d; };                                          \
	struct one { int only; };                                                                  \
	struct named { char name[16]; int age; } named = {"abcdefghijklmno", 3};                   \
	struct opaque;                                                                             \
	struct loop { const struct loop_alias *self; Items items[2]; };                            \
	struct loop_alias { struct loop loop; volatile struct loop_alias *const *back; };          \
	struct list head = {0, 5}; Items *items = &head; List chain[2][3];                         \
	struct shape shape = {'s', {{1, 2}, {3, 4}, {5, 6}}, {.i = 9}, {2.5}, 0, BLUE};            \
	struct bits bits = {5, 17, -3, 1, 200, -7, READ | EXEC};                                   \
	struct packet packet; struct oldstyle oldstyle; union word word = {0x41}; struct one one;  \
	struct opaque *opaque; struct loop_alias loop_alias;                                       \
	int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}}; handler handlers[2]; four lanes = {1, 2, 3, 4}; \
	enum color color = RED, odd = 3; enum mode both = READ | EXEC, none, big = 8;              \
	enum wide wide = HUGE_ONE;                                                                 \
	_Bool yes = 1; char letter = 'a', newline = '\n', high = -56; unsigned char byte = 200;    \
	int minus = -1; unsigned plain = 4000000000; short small = -300; unsigned long most = -1;  \
	__int128 wider = -((__int128)1 << 100); unsigned __int128 widest = -1;                     \
	float third = 1.0f / 3, tenth = 0.1f, hundred = 100; double exact = 1.5, sum = 0.1 + 0.2;  \
	double tiny = 5e-324, large = 1e300, million = 1e6, nothing = -0.0;                        \
	long double longer = 0.1L; _Complex double complex_ = 1.5 + 2i; _Complex int pair = 3 + 4i;\
	char text[16] = "say \"hi\"\n", full[3] = {'a', 'b', 'c'}, accent[8] = "gr\303\266\377";   \
	unsigned char raw[4] = {1, 2, 200, 0}, ascii[6] = "plain";                                 \
	const volatile char *restrict qualified; char *const fixed = 0; void *anything;            \
	int (*rows)[3] = matrix; int *(*getter)(void); int (*unprototyped)(); char **names[2];     \
	_Atomic int counter = 3; int zeros[100]; extern int far[]; int *far_user(void);            \
	void (*nested)(int, void (*)(char *[2]));
/* clang-format on */

CODE

	int far[2];
static LLVMModuleRef module;
static struct types *types;
static struct variables *variables;

static const struct ctype *type_of(const char *global)
{
	LLVMValueRef value = LLVMGetNamedGlobal(module, global);
	const struct variable *variable;

	assert_non_null(value);
	variable = variables_of_global(variables, value);
	assert_non_null(variable);
	assert_string_equal(variable->name, global);
	return variable->type;
}

#define AT(object, field) offsetof(__typeof__(object), field), sizeof(object.field)

/* Finds the bit-field's place by setting it. */
#define FIND(field, ones)                                                                          \
	({                                                                                         \
		struct bits probe_ = {0};                                                          \
		unsigned __int128 all_ = 0;                                                        \
		uint64_t at_ = 0;                                                                  \
		probe_.field = ones;                                                               \
		memcpy(&all_, &probe_,                                                             \
		       sizeof(all_) < sizeof(probe_) ? sizeof(all_) : sizeof(probe_));             \
		while (!(all_ >> at_ & 1))                                                         \
			at_++;                                                                     \
		at_;                                                                               \
	})

static int set_up(void **state)
{
	module = source_compile(SOURCE_TEXT(CODE), "");
	types = types_create(module);
	variables = variables_create(types);
	return 0;
}

static int tear_down(void **state)
{
	variables_destroy(variables);
	types_destroy(types);
	source_free(module);
	return 0;
}

#endif
