/* Options that clang rejects: see reject.h. */
#include "cc/reject.h"

#include <stddef.h>
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
