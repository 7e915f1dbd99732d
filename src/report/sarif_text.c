/* Texts of SARIF: see sarif.h. */
#include <string.h>

#include "report/explanation_words.h"
#include "report/json.h"
#include "report/sarif.h"

/* A bracket that is followed by another one would end a link's text. With a backslash it does not; viewers that know no
   links show one character more. It has one if an odd number of them stands before it: two are one that is meant. */
void sarif_add_plain(struct str *message, const char *text)
{
	struct str safe = STR_INIT;
	unsigned backslashes = 0;

	explanation_add_safe(&safe, text);
	for (const char *at = str_text(&safe); *at; at++) {
		if (*at == '{' || *at == '}')
			str_add_char(message, *at);
		if (at[0] == ']' && at[1] == '(' && backslashes % 2 == 0)
			str_add_char(message, '\\');
		str_add_char(message, *at);
		backslashes = *at == '\\' ? backslashes + 1 : 0;
	}
	str_deinit(&safe);
}

void sarif_add_link(struct str *message, const char *text, unsigned number)
{
	struct str safe = STR_INIT;

	explanation_add_safe(&safe, text);
	str_add_char(message, '[');
	for (const char *at = str_text(&safe); *at; at++) {
		if (*at == '{' || *at == '}')
			str_add_char(message, *at);
		if (strchr("[]\\", *at))
			str_add_char(message, '\\');
		str_add_char(message, *at);
	}
	str_printf(message, "](%u)", number);
	str_deinit(&safe);
}

void sarif_add_message(struct sarif *s, const char *key, const char *text)
{
	struct str message = STR_INIT;

	sarif_add_plain(&message, *text ? text : "-");
	json_add_key(s->out, key);
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", str_text(&message));
	str_add_char(s->out, '}');
	str_deinit(&message);
}

void sarif_open(struct sarif *s)
{
	str_add(s->out, s->out->text[s->out->length - 1] == '[' ? "{" : ",{");
}

/* Is it a word that a shell leaves as it is? */
static bool is_simple(const char *word)
{
	static const char simple[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-./=:,+@%";

	return *word && !word[strspn(word, simple)];
}

void sarif_add_command(struct str *out, char *const *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? " " : "");
		if (is_simple(words[i])) {
			str_add(out, words[i]);
			continue;
		}
		str_add_char(out, '\'');
		for (const char *at = words[i]; *at; at++)
			if (*at == '\'')
				str_add(out, "'\\''");
			else
				str_add_char(out, *at);
		str_add_char(out, '\'');
	}
}
