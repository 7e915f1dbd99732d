/* Options that clang rejects: see reject.h. */
#include "cc/reject.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The messages that name an option which can be left out, up to the quote before its name. */
static const char *const messages_known[] = {
	"unknown argument: '",
	"unknown argument '",
	"unsupported option '",
	"the clang compiler does not support '",
};

/* Here the quotes hold the option's value, and the option itself comes next. */
static const char value_first[] = "unsupported argument '";
static const char value_then[] = "' to option '";

/* A line without the escape sequences that colour it. */
static void strip_colours(const char *line, size_t length, struct str *plain)
{
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '\033') {
			str_add_char(plain, line[i]);
			continue;
		}
		while (i + 1 < length && line[i] != 'm')
			i++;
	}
}

/* The text up to `end`, or NULL. Caller frees. */
static char *cut(const char *text, const char *end)
{
	const char *at = strstr(text, end);

	return at ? mem_strndup(text, (size_t)(at - text)) : NULL;
}

/* Whether an item is the option that clang names; it names some up to the '=' only. */
static bool is_named(const struct cc_item *item, const char *name, const char *value)
{
	size_t length = strlen(name);

	if (item->kind == CC_INPUT || item->dropped || !*name)
		return false;
	if (value)
		return args_begins(item->text, name) &&
		       !strcmp(item->value ? item->value : item->text + length, value);
	if (name[length - 1] == '=')
		return args_begins(item->text, name);
	return !strcmp(item->text, name);
}

static bool drop(struct cc_args *args, const char *name, const char *value, struct cc_words *told)
{
	bool any = false;

	for (uint32_t i = 0; i < args->items.size; i++) {
		struct cc_item *item = &args->items.at[i];

		if (!is_named(item, name, value))
			continue;
		item->dropped = true;
		any = true;
		words_add_once(told, item->text);
	}
	return any;
}

/* `text` is a message without its 'clang: error: '. */
static bool drop_for_message(struct cc_args *args, const char *text, struct cc_words *told)
{
	char *name = NULL;
	char *value = NULL;
	bool any;

	for (size_t i = 0; i < COUNT(messages_known) && !name; i++)
		if (args_begins(text, messages_known[i]))
			name = cut(text + strlen(messages_known[i]), "'");
	if (args_begins(text, value_first)) {
		value = cut(text + strlen(value_first), value_then);
		if (value)
			name = cut(strstr(text, value_then) + strlen(value_then), "'");
	}
	any = name && drop(args, name, value, told);
	free(name);
	free(value);
	return any;
}

/* Only the driver's own messages count: a source file can make clang say anything. */
static const char *driver_error(const char *line, const char *program)
{
	size_t length = strlen(program);

	if (strncmp(line, program, length) || !args_begins(line + length, ": error: "))
		return NULL;
	return line + length + strlen(": error: ");
}

bool reject_drop(struct cc_args *args, const char *program, const char *messages,
                 struct cc_words *told)
{
	bool any = false;

	while (*messages) {
		size_t length = strcspn(messages, "\n");
		struct str line = STR_INIT;
		const char *text;

		strip_colours(messages, length, &line);
		text = driver_error(str_text(&line), program);
		if (text && drop_for_message(args, text, told))
			any = true;
		str_deinit(&line);
		messages += length + (messages[length] == '\n');
	}
	return any;
}

/* Warnings of clang that gcc 12 has as well, by the same name or by another. */
/* clang-format off */
static const char *const shared[] = {
	"#warnings", "absolute-value", "address-of-packed-member", "alloca", "array-bounds",
	"array-compare", "array-parameter", "attribute-warning", "bad-function-cast",
	"bitwise-op-parentheses", "bool-operation", "builtin-macro-redefined",
	"builtin-requires-header", "c++-compat", "c11-extensions", "c23-extensions",
	"c99-extensions", "cast-align", "cast-qual", "char-subscripts", "comment",
	"compare-distinct-pointer-types", "constant-conversion", "conversion", "dangling-else",
	"date-time", "declaration-after-statement", "deprecated", "deprecated-declarations",
	"division-by-zero", "double-promotion", "duplicate-decl-specifier", "empty-body",
	"enum-compare", "excess-initializers", "expansion-to-defined", "extern-initializer",
	"extra-tokens", "float-conversion", "float-equal", "format", "format-extra-args",
	"format-insufficient-args", "format-invalid-specifier", "format-nonliteral",
	"format-overflow", "format-pedantic", "format-security", "format-signedness",
	"format-truncation", "format-zero-length", "frame-address", "frame-larger-than",
	"free-nonheap-object", "gnu-folding-constant", "ignored-attributes", "ignored-qualifiers",
	"implicit-fallthrough", "implicit-function-declaration", "implicit-int",
	"implicit-int-conversion", "implicit-int-float-conversion", "implicitly-unsigned-literal",
	"incompatible-function-pointer-types", "incompatible-library-redeclaration",
	"incompatible-pointer-types", "incompatible-pointer-types-discards-qualifiers",
	"infinite-recursion", "initializer-overrides", "int-conversion", "int-in-bool-context",
	"int-to-pointer-cast", "int-to-void-pointer-cast", "integer-overflow", "invalid-noreturn",
	"jump-misses-init", "logical-not-parentheses", "logical-op-parentheses", "long-long",
	"macro-redefined", "main", "main-return-type", "memset-transposed-args",
	"misleading-indentation", "missing-braces", "missing-declarations",
	"missing-field-initializers", "missing-format-attribute", "missing-include-dirs",
	"missing-noreturn", "missing-prototypes", "multichar", "nonnull", "null-character",
	"null-dereference", "overlength-strings", "packed", "padded", "parentheses", "pedantic",
	"pointer-arith", "pointer-compare", "pointer-integer-compare", "pointer-sign",
	"pointer-to-int-cast", "pointer-type-mismatch", "pragmas", "return-mismatch",
	"return-stack-address", "return-type", "shadow", "shift-count-negative",
	"shift-count-overflow", "shift-negative-value", "shift-op-parentheses", "shift-overflow",
	"shorten-64-to-32", "sign-compare", "sign-conversion", "sizeof-array-argument",
	"sizeof-array-div", "sizeof-pointer-div", "sizeof-pointer-memaccess",
	"sometimes-uninitialized", "strict-prototypes", "string-compare", "switch", "switch-bool",
	"switch-default", "switch-enum", "tautological-compare", "trigraphs",
	"trivial-auto-var-init", "undef", "undefined-inline", "undefined-internal", "uninitialized",
	"unknown-attributes", "unknown-escape-sequence", "unknown-pragmas", "unreachable-code",
	"unsequenced", "unused-but-set-parameter", "unused-but-set-variable", "unused-comparison",
	"unused-const-variable", "unused-function", "unused-label", "unused-local-typedef",
	"unused-macros", "unused-parameter", "unused-result", "unused-value", "unused-variable",
	"varargs", "variadic-macros", "visibility", "vla", "void-pointer-to-int-cast",
};
/* clang-format on */

/* Must this warning stay an error under -Werror? */
static bool is_wanted(const struct cc_args *args, const char *name)
{
	char *asked = str_format("-Werror=%s", name);
	bool wanted = args_has(args, asked);

	free(asked);
	for (size_t i = 0; i < COUNT(shared) && !wanted; i++)
		wanted = !strcmp(shared[i], name);
	return wanted;
}

bool reject_forgive(const struct cc_args *args, const char *messages, struct cc_words *forgiven)
{
	static const char mark[] = "[-Werror,-W";
	uint32_t before = forgiven->list.size;

	while ((messages = strstr(messages, mark))) {
		char *name = cut(messages += strlen(mark), "]");

		if (name && !is_wanted(args, name)) {
			char *option = str_format("-Wno-error=%s", name);

			words_add_once(forgiven, option);
			free(option);
		}
		free(name);
	}
	return forgiven->list.size > before;
}
