/*
 * Included before each random program: what csmith leaves undefined. It calls these builtins with 0,
 * too, where their results are whatever the register held; here they are defined for every argument.
 * And with --step-hash-by-stmt it uses a variable of main() in another function.
 */
static int print_hash_value;

#define DEFINE(name, type)                                                                         \
	static inline int defined_##name(type x)                                                   \
	{                                                                                          \
		return x ? __builtin_##name(x) : -1;                                               \
	}

DEFINE(clz, unsigned)
DEFINE(clzl, unsigned long)
DEFINE(clzll, unsigned long long)
DEFINE(ctz, unsigned)
DEFINE(ctzl, unsigned long)
DEFINE(ctzll, unsigned long long)

#define __builtin_clz   defined_clz
#define __builtin_clzl  defined_clzl
#define __builtin_clzll defined_clzll
#define __builtin_ctz   defined_ctz
#define __builtin_ctzl  defined_ctzl
#define __builtin_ctzll defined_ctzll
