/* What gdb is told: see gdb.h. */
#include <ctype.h>
#include <string.h>

#include "cli/gdb.h"

/* --- where to stop --- */

/* Machine code that begins so is a site: see runtime/sites.h. */
#define SITE "0x00441f0f"

static void add_breaks(const struct gdb_moment *moment, struct str *out)
{
	if (moment->addresses.size == 1) {
		str_printf(out, "tbreak *0x%llx\n", (unsigned long long)moment->addresses.at[0]);
		if (moment->count > 1)
			str_printf(out, "ignore $bpnum %llu\n",
			           (unsigned long long)(moment->count - 1));
		return;
	}
	/* The compiler has made the code several times: all of them are counted together. */
	str_add(out, "set $hence_count = 0\n");
	for (uint32_t i = 0; i < moment->addresses.size; i++)
		str_printf(out, "tbreak *0x%llx if ++$hence_count == %llu\n",
		           (unsigned long long)moment->addresses.at[i],
		           (unsigned long long)moment->count);
}

void gdb_add_script(const struct gdb_moment *moment, const struct gdb_room *room, struct str *out)
{
	str_add(out, "set disable-randomization on\n"
	             "set startup-with-shell on\n"
	             "set print null-stop on\n");
	str_add(out, "set exec-wrapper ");
	failure_words_quote_all(room->hence, strlen(room->hence), out);
	str_add(out, " gdb " GDB_START " ");
	failure_words_quote_all(room->start, strlen(room->start), out);
	str_add_char(out, '\n');
	/* New code is there when the runtime has loaded it. It overwrites the beginning of the old one, and a breakpoint
	   there. */
	if (moment->edited)
		str_add(out, "tbreak hence_rt_edits_select\nrun\n"
		             "if $_thread == 0\n"
		             "echo hence: gdb did not stop where the change of the code is loaded: "
		             "the program has no symbols, or lies elsewhere under gdb than when it "
		             "was recorded\\n\nend\n");
	else
		str_add(out, moment->library ? "tbreak main\nrun\n" : "starti\n");
	if (moment->edited && moment->edited->symbols) {
		str_add(out, "set confirm off\nadd-symbol-file ");
		failure_words_quote_all(moment->edited->symbols, strlen(moment->edited->symbols),
		                        out);
		str_add(out, "\nset confirm on\n");
	}
	/* Another base address would be another statement. */
	for (uint32_t i = 0; i < moment->addresses.size; i++)
		str_printf(out,
		           "if *(unsigned int *)0x%llx != " SITE "\n"
		           "echo hence: the program lies elsewhere under gdb than when it was "
		           "recorded\\n\nend\n",
		           (unsigned long long)moment->addresses.at[i]);
	add_breaks(moment, out);
	str_add(out, "continue\n");
}

/* --- what to display --- */

/* As a text of gdb's echo. */
static void add_echo(struct str *out, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			str_printf(out, "\\\\%03o", (unsigned char)*text);
		else if (*text == '\\' || *text == ' ')
			str_printf(out, "\\%c", *text);
		else
			str_add_char(out, *text);
}

static char *tell(const struct explanation_value *value, bool reference, const char *why)
{
	const char *now = reference ? value->reference : value->failing;
	struct str out = STR_INIT;

	str_add(&out, "echo ");
	add_echo(&out, value->name ? value->name : "?");
	str_add(&out, "\\ is\\ ");
	add_echo(&out, now ? now : "?");
	str_add(&out, "\\ in\\ the\\ report;\\ ");
	add_echo(&out, why);
	str_add(&out, "\\n");
	return str_steal(&out);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A local of a caller: 'main.argc', or of recursive functions 'down@3.n'. Gives the length of what stands in front of
   the variable; 0: nothing does. */
static size_t qualified(const struct explanation_value *value)
{
	size_t length = value->function ? strlen(value->function) : 0;
	const char *behind = value->name + length;

	for (size_t i = 0; i < length; i++)
		if (!is_word(value->function[i]))
			return 0;
	if (!length || strncmp(value->name, value->function, length))
		return 0;
	if (*behind == '@')
		behind += 1 + strspn(behind + 1, "0123456789");
	if (*behind != '.')
		return 0;
	return (size_t)(behind + 1 - value->name);
}

/* Is it '=' that assigns, not part of a comparison? `<<=` and `>>=` assign, too. */
static bool assigns(const char *name, const char *at)
{
	size_t before = (size_t)(at - name);

	if (*at != '=' || at[1] == '=')
		return false;
	if (!before || !strchr("=!<>", at[-1]))
		return true;
	return before > 1 && strchr("<>", at[-1]) && at[-2] == at[-1];
}

/* The length of a character constant: 'a', '\\n', '\\033'; 0: gdb would take it for a quoted name. */
static size_t character(const char *at)
{
	size_t length = at[1] == '\\' && at[2] ? 3 : 2;

	while (length < 6 && at[1] == '\\' && isalnum((unsigned char)at[length]))
		length++;
	return at[1] && at[1] != '\'' && at[length] == '\'' ? length + 1 : 0;
}

/* gdb would call functions, and change what is assigned to; it has no words for all that hence has. Whoever wrote the
   report gets no further than to look at variables: a parenthesis opens only after an operator, where it calls nothing. */
static bool is_expression(const char *name)
{
	char last = 0; /* that is no space */

	if (!strncmp(name, "return value", 12) || *name == '(' || *name == '/' ||
	    strstr(name, "...") || strstr(name, "++") || strstr(name, "--") ||
	    strpbrk(name, "$\"`{}#;"))
		return false;
	for (const char *at = name; *at; at++) {
		if ((unsigned char)*at < ' ' || (unsigned char)*at >= 127 || assigns(name, at))
			return false;
		if (*at == '\'') {
			size_t length = character(at);

			if (!length)
				return false;
			at += length - 1;
		}
		if (*at == '(' && !(last && strchr("!&|^+-*/%<>=,([~?:", last)))
			return false;
		if (*at != ' ')
			last = *at;
	}
	return true;
}

/* A part of an array: a[3..5] is the 3 elements from a[3] on, for gdb a[3]@3. */
struct part {
	size_t open;         /* where the bracket is; 0: it is no such part */
	unsigned long first; /* element */
	unsigned long count;
};

static struct part part_of(const char *name)
{
	const char *dots = strstr(name, ".."), *open = dots;
	unsigned long first, last;
	char *end;

	while (open && open > name && *open != '[')
		open--;
	if (!dots || *open != '[' || open == name)
		return (struct part){0};
	first = strtoul(open + 1, &end, 10);
	if (end != dots)
		return (struct part){0};
	last = strtoul(dots + 2, &end, 10);
	if (strcmp(end, "]") || last < first)
		return (struct part){0};
	return (struct part){(size_t)(open - name), first, last - first + 1};
}

/* What main() was given is called so everywhere. */
static bool is_argument(const struct explanation_step *step, const char *name)
{
	return !strncmp(name, "argv[", 5) && step->at.function && strcmp(step->at.function, "main");
}

/* gdb does not know NULL. */
static void add_name(struct str *out, const char *name)
{
	for (const char *at = name; *at; at++)
		if (!strncmp(at, "NULL", 4) && !is_word(at[4]) &&
		    (at == name || !is_word(at[-1]))) {
			str_add_char(out, '0');
			at += 3;
		} else {
			str_add_char(out, *at);
		}
}

/* The variable, or the first of its elements. */
static void add_place(struct str *out, const char *name, const struct part *part)
{
	if (part->open) {
		str_add_bytes(out, name, part->open);
		str_printf(out, "[%lu]", part->first);
	} else {
		add_name(out, name);
	}
}

static void add_count(struct str *out, const struct part *part)
{
	if (part->open)
		str_printf(out, "@%lu", part->count);
}

/* gdb displays locals of a function only where that is selected; what an address leads to, always. The address is kept in a
   variable of gdb's that is called like it: $main_argc. */
static void add_elsewhere(struct str *out, const char *function, const char *name,
                          const struct part *part)
{
	struct str variable = STR_INIT;

	str_printf(&variable, "$%s_", function);
	for (const char *at = name; *at; at++)
		if (is_word(*at))
			str_add_char(&variable, *at);
		else if (str_text(&variable)[variable.length - 1] != '_' && at[1])
			str_add_char(&variable, '_');
	str_printf(out, "set %s = &%s::", str_text(&variable), function);
	add_place(out, name, part);
	str_printf(out, "\ndisplay *%s", str_text(&variable));
	add_count(out, part);
	str_deinit(&variable);
}

char *gdb_display(const struct explanation_step *step, const struct explanation_value *value,
                  bool reference, bool edited)
{
	struct str out = STR_INIT;
	const char *name = value->name;
	struct part part;
	size_t front;

	if (!name || !is_expression(name))
		return tell(value, reference, "gdb has no name for it");
	/* gdb would compute what stands in the source. */
	if (edited)
		return tell(value, reference, "the change of the code is here");
	front = qualified(value);
	if (front && name[strlen(value->function)] == '@')
		return tell(value, reference,
		            "it belongs to a call further up: see 'up' and 'frame'");
	part = part_of(name + front);
	if (front || is_argument(step, name)) {
		add_elsewhere(&out, front ? value->function : "main", name + front, &part);
		return str_steal(&out);
	}
	str_add(&out, "display ");
	add_place(&out, name, &part);
	add_count(&out, &part);
	return str_steal(&out);
}
