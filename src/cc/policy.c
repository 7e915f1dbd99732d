/* Which options stay: see policy.h. */
#include "cc/policy.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* How a rule's text is compared with an option. */
enum rule_kind {
	KEEP_EXACT,
	KEEP_PREFIX,
	QUIET_EXACT, /* drop; nothing is lost that the user would miss */
	QUIET_PREFIX,
	TELL_EXACT, /* drop, and say so */
	TELL_PREFIX,
};

/* The first rule that fits decides; an option that none fits stays. */
static const struct rule {
	enum rule_kind kind;
	const char *text;
} rules[] = {
	/* -O0 it is; so that optimising never hides or changes a failure. */
	{QUIET_PREFIX, "-O"},
	/* Without optimisation it does nothing but warn. */
	{QUIET_PREFIX, "-D_FORTIFY_SOURCE"},
	/* Levels of debug information give way to -g. */
	{QUIET_EXACT, "-g"},
	{QUIET_EXACT, "-g0"},
	{QUIET_EXACT, "-g1"},
	{QUIET_EXACT, "-g2"},
	{QUIET_EXACT, "-g3"},
	{QUIET_PREFIX, "-ggdb"},
	{QUIET_EXACT, "-gmlt"},
	{QUIET_EXACT, "-gline-tables-only"},
	{QUIET_EXACT, "-gline-directives-only"},
	{QUIET_EXACT, "-gno-column-info"},
	{QUIET_PREFIX, "-gstabs"},
	{QUIET_PREFIX, "-gcoff"},
	{QUIET_PREFIX, "-gxcoff"},
	{QUIET_PREFIX, "-gvms"},
	{TELL_PREFIX, "-gsplit-dwarf"},
	{QUIET_EXACT, "-pipe"},
	/* Link-time optimisation needs objects that are not code yet. */
	{KEEP_EXACT, "-fno-lto"},
	{TELL_PREFIX, "-flto"},
	{TELL_EXACT, "-ffat-lto-objects"},
	{TELL_PREFIX, "-fuse-linker-plugin"},
	{TELL_EXACT, "-fwhole-program"},
	{TELL_EXACT, "-fwhole-program-vtables"},
	{TELL_PREFIX, "-fembed-bitcode"},
	/* Others who put hooks into the program: their runtime libraries would be recorded too. */
	{TELL_PREFIX, "-fsanitize"},
	{QUIET_PREFIX, "-fno-sanitize"},
	{QUIET_EXACT, "-static-libasan"},
	{QUIET_EXACT, "-static-libubsan"},
	{QUIET_EXACT, "-static-libsan"},
	{TELL_PREFIX, "-fprofile"},
	{QUIET_PREFIX, "-fno-profile"},
	{TELL_EXACT, "-fcoverage-mapping"},
	{TELL_EXACT, "-ftest-coverage"},
	{TELL_EXACT, "-coverage"},
	{TELL_PREFIX, "-fxray-instrument"},
	{TELL_EXACT, "-pg"},
	{TELL_EXACT, "-p"},
	/* A plugin for gcc, or for a clang that may not be ours. */
	{TELL_PREFIX, "-fplugin"},
};

static bool rule_is_exact(enum rule_kind kind)
{
	return kind == KEEP_EXACT || kind == QUIET_EXACT || kind == TELL_EXACT;
}

static const struct rule *find_rule(const char *text)
{
	for (size_t i = 0; i < COUNT(rules); i++) {
		bool fits = rule_is_exact(rules[i].kind) ? !strcmp(text, rules[i].text)
		                                         : args_begins(text, rules[i].text);

		if (fits)
			return &rules[i];
	}
	return NULL;
}

static void clean_item(struct cc_item *item, struct cc_words *told)
{
	const struct rule *rule = find_rule(item->text);

	if (args_begins(item->text, "-Wp,") && strstr(item->text, "-D_FORTIFY_SOURCE")) {
		/* -Wp,A,B without the parts that define _FORTIFY_SOURCE. */
		struct str kept = STR_INIT;
		char *words = mem_strdup(item->text + strlen("-Wp,"));
		char *rest = words;

		for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ","))
			if (!args_begins(word, "-D_FORTIFY_SOURCE"))
				str_printf(&kept, ",%s", word);
		free(words);
		if (!kept.length) {
			item->dropped = true;
		} else {
			free(item->text);
			item->text = str_format("-Wp%s", str_text(&kept));
		}
		str_deinit(&kept);
	} else if (!strcmp(item->text, "-D") && args_begins(item->value, "_FORTIFY_SOURCE"))
		item->dropped = true;
	else if (rule && rule->kind >= QUIET_EXACT)
		item->dropped = true;
	if (item->dropped && rule && rule->kind >= TELL_EXACT)
		words_add_once(told, item->text);
}

void policy_clean(struct cc_args *args, struct cc_words *told)
{
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind != CC_INPUT)
			clean_item(&args->items.at[i], told);
}

static struct hence_error *check_input(const struct cc_item *item)
{
	if (item->language == CC_LANG_CXX)
		return error_create(HENCE_ERROR_INPUT, "C++ is not supported yet: %s", item->text);
	if (item->language == CC_LANG_IR)
		return error_create(HENCE_ERROR_INPUT,
		                    "LLVM IR is not supported, give its C source instead: %s",
		                    item->text);
	return NULL;
}

/* With -c a file that nobody compiles is passed over; but a mistyped name must be noticed. */
static struct hence_error *check_unused(const struct cc_item *item)
{
	if (item->language != CC_LANG_LINKED || !access(item->text, F_OK))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "no such file: %s", item->text);
}

static struct hence_error *check_option(const struct cc_item *item)
{
	static const char *const narrow[] = {"-m32", "-m16", "-mx32"};

	for (size_t i = 0; i < COUNT(narrow); i++)
		if (!strcmp(item->text, narrow[i]))
			return error_create(HENCE_ERROR_INPUT,
			                    "only 64-bit x86 code can be recorded, not %s",
			                    item->text);
	return NULL;
}

struct hence_error *policy_check(const struct cc_args *args)
{
	bool single = args->mode == CC_COMPILING || args->mode == CC_ASSEMBLING;
	uint32_t compiled = 0;

	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];
		struct hence_error *error =
			item->kind == CC_INPUT ? check_input(item) : check_option(item);

		if (!error && single && item->kind == CC_INPUT)
			error = check_unused(item);
		if (error)
			return error;
		compiled += item->kind == CC_INPUT && item->language != CC_LANG_LINKED;
	}
	if (single && compiled > 1 && args->output)
		return error_create(HENCE_ERROR_INPUT,
		                    "-o cannot be given with -c or -S and several files");
	return NULL;
}
