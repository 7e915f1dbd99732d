/*
 * rewrite MAP <PLAIN.ll >LOGGING.ll: puts calls of log.c's functions into clang's IR, as text, and
 * writes to MAP what the text says of functions and blocks:
 *
 *	global NAME                  in the order of their numbers, from 0
 *	function NAME                likewise; its blocks follow
 *	block INSTRUCTIONS END SUCCESSOR...    END: goto branch return stop
 *
 * Knows the text that clang -O0 writes for C without atomics and asm; refuses what it does not know.
 * Calls that are put in have no result, so the numbers of unnamed values stay.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define MOST_LABELS 20000

static char **lines;
static size_t line_count;
static FILE *map;

static void read_lines(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t got;

	while ((got = getline(&line, &room, stdin)) > 0) {
		if (line[got - 1] == '\n')
			line[got - 1] = 0;
		lines = realloc(lines, (line_count + 1) * sizeof(*lines));
		lines[line_count++] = strdup(line);
	}
	free(line);
}

/* --- functions and blocks --- */

static uint32_t functions, globals;
static char *labels[MOST_LABELS]; /* of the function; 0 is the entry */
static uint32_t label_count;

static bool is_label(const char *line)
{
	const char *end = *line == '"' ? strchr(line + 1, '"') : line;

	if (!end || !*line || *line == ' ' || *line == ';' || *line == '}')
		return false;
	end += strcspn(end, ": ");
	return *end == ':';
}

static bool is_instruction(const char *line)
{
	return begins(line, "  ") && line[2] != ' ' && line[2] != ']' && line[2] &&
	       !strstr(line, "@llvm.dbg.");
}

static void find_labels(size_t at)
{
	label_count = 0;
	labels[label_count++] = strdup("");
	/* clang gives the entry no label, unless value names are kept */
	if (is_label(lines[at]))
		label_count = 0;
	for (; strcmp(lines[at], "}"); at++)
		if (is_label(lines[at])) {
			if (label_count == MOST_LABELS)
				die("too many blocks", lines[at]);
			labels[label_count++] = strndup(lines[at], strcspn(lines[at], ":"));
		}
}

static uint32_t label_number(const char *name, size_t length)
{
	for (uint32_t i = 0; i < label_count; i++)
		if (strlen(labels[i]) == length && !strncmp(labels[i], name, length))
			return i;
	die("no such label", name);
	return 0;
}

/* Writes the numbers of all blocks that the line names. */
static void map_successors(const char *line)
{
	while ((line = strstr(line, "label %"))) {
		line += strlen("label %");
		fprintf(map, " %u", label_number(line, strcspn(line, ", ]")));
	}
}

/* The block from line `at` on: how long it is, how it ends. */
static void map_block(size_t at)
{
	uint32_t count = 0;
	const char *last = "";

	for (; strcmp(lines[at], "}") && !is_label(lines[at]); at++)
		if (is_instruction(lines[at])) {
			count++;
			last = lines[at] + 2;
		}
	if (begins(last, "ret "))
		fprintf(map, "block %u return", count);
	else if (begins(last, "unreachable"))
		fprintf(map, "block %u stop", count);
	else
		fprintf(map, "block %u %s", count, begins(last, "br label") ? "goto" : "branch");
	map_successors(last);
	/* the cases of a switch are on lines of their own, the last ones seen */
	if (begins(last, "switch")) {
		while (!begins(lines[--at], "  switch"))
			;
		for (at++; begins(lines[at], "    "); at++)
			map_successors(lines[at]);
	}
	fprintf(map, "\n");
}

/* --- instructions --- */

/* The stack pointer that is kept while an array of variable length lives: hence does not evaluate it.
   The result that holds it, and the local that it goes to; valid in one function. */
static char stack_value[WORD], stack_local[16][WORD];
static uint32_t stack_locals;

static bool holds_stack(const char *pointer)
{
	for (uint32_t i = 0; i < stack_locals; i++)
		if (!strcmp(pointer, stack_local[i]))
			return true;
	return false;
}

struct place {
	uint32_t function, block, instruction;
	uint32_t locals;
};

static void log_call(const struct place *p, const char *what, const char *format, ...)
{
	va_list args;

	printf("  call void @oracle_%s(i32 %u, i32 %u, i32 %u", what, p->function, p->block,
	       p->instruction);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(")\n");
}

static const char *skip_word(const char *text, const char *word)
{
	return begins(text, word) ? text + strlen(word) : text;
}

static void do_load(const struct place *p, const char *line, const char *rest)
{
	char type[WORD], pointer[WORD];

	rest = skip_word(rest, "volatile ");
	if (begins(rest, "atomic"))
		die("not supported", line);
	rest = take(rest, ",", type);
	take(rest, ",", pointer);
	if (!holds_stack(pointer))
		log_call(p, "load", ", %s, i64 %s", pointer, size_text(type));
	puts(line);
}

static void do_store(const struct place *p, const char *line, const char *rest)
{
	char type[WORD], value[WORD], pointer[WORD];

	rest = skip_word(rest, "volatile ");
	if (begins(rest, "atomic"))
		die("not supported", line);
	rest = take(rest, " ", type);
	rest = take(rest, ",", value);
	take(rest, ",", pointer);
	puts(line);
	if (*stack_value && !strcmp(value, stack_value)) {
		if (stack_locals == 16)
			die("too many arrays of variable length", line);
		strcpy(stack_local[stack_locals++], pointer);
		return;
	}
	log_call(p, "store", ", %s, i64 %s", pointer, size_text(type));
}

static void do_alloca(struct place *p, const char *line, const char *rest, const char *result)
{
	char type[WORD], count[WORD];

	rest = take(rest, ",", type);
	take(rest, ",", count);
	puts(line);
	if (begins(count, "align")) {
		printf("  call void @oracle_local(i32 %u, i32 %u, ptr %s, i64 %s)\n", p->function,
		       p->locals++, result, size_text(type));
		return;
	}
	if (!begins(count, "i64 %"))
		die("not supported", line);
	log_call(p, "dynamic", ", ptr %s, %s, i64 %s", result, count, size_text(type));
}

/* A function of the C library that log.c has a function for: how many arguments are told. */
struct known {
	const char *name;
	unsigned arguments;
};

static const struct known known[] = {
	{"malloc", 1}, {"calloc", 2}, {"realloc", 2}, {"free", 1},    {"strcpy", 1},
	{"strcat", 2}, {"strdup", 0}, {"strncpy", 3}, {"sprintf", 1},
};

static void do_known(const struct place *p, const struct known *k, const char *arguments,
                     const char *result, const char *result_type)
{
	char text[6 * WORD] = "", argument[WORD], type[WORD], value[WORD];

	if (result)
		snprintf(text, sizeof(text), ", %s %s", result_type, result);
	for (unsigned i = 0; i < k->arguments; i++) {
		size_t length = strlen(text);

		arguments = take(arguments, ",", argument);
		split_argument(argument, type, value);
		snprintf(text + length, sizeof(text) - length, ", %s %s", type, value);
	}
	log_call(p, k->name, "%s", text);
}

static void do_intrinsic(const struct place *p, const char *line, const char *name)
{
	char type[WORD], to[WORD], from[WORD], size[WORD], argument[WORD];
	const char *rest = strchr(name, '(') + 1;

	puts(line);
	if (!begins(name, "memcpy.") && !begins(name, "memmove.") && !begins(name, "memset.") &&
	    !begins(name, "va_start") && !begins(name, "va_copy"))
		return;
	rest = take(rest, ",", argument);
	split_argument(argument, type, to);
	if (begins(name, "va_start")) {
		log_call(p, "fill", ", ptr %s, i64 24", to);
		return;
	}
	rest = take(rest, ",", argument);
	split_argument(argument, type, from);
	take(rest, ",", argument);
	if (begins(name, "va_copy"))
		strcpy(size, "24");
	else
		split_argument(argument, type, size);
	if (begins(name, "memset."))
		log_call(p, "fill", ", ptr %s, i64 %s", to, size);
	else
		log_call(p, "copy", ", ptr %s, ptr %s, i64 %s", to, from, size);
}

/* Tells of the structures that are passed by value. */
static void log_passed(const struct place *p, const char *arguments)
{
	char argument[WORD], type[WORD], value[WORD];

	for (uint32_t i = 0; *arguments && *arguments != ')'; i++) {
		arguments = take(arguments, ",", argument);
		if (!strstr(argument, " byval("))
			continue;
		split_argument(argument, type, value);
		log_call(p, "pass", ", ptr %s, i64 %u", value, i);
	}
}

static void do_call(const struct place *p, const char *line, const char *rest, const char *result)
{
	const char *name = strchr(rest, '@'), *open = strchr(rest, '('), *close;
	char type[WORD] = "ptr";

	if (strstr(rest, " asm ") || begins(line + 2, "musttail"))
		die("not supported", line);
	/* `call i32 (ptr, ...) @printf(`: the type of a variadic function is in front of its name */
	if (open && begins(open - 1, " (") && (close = strchr(open, ')')))
		open = strchr(close, '(');
	if (name && open && name < open && begins(name, "@llvm.")) {
		do_intrinsic(p, line, name + strlen("@llvm."));
		if (begins(name, "@llvm.stacksave"))
			strcpy(stack_value, result);
		return;
	}
	if (open)
		log_passed(p, open + 1);
	log_call(p, "call", "%s", "");
	puts(line);
	if (!name || !open || name > open)
		return;
	if (strstr(rest, "i32 (") || begins(rest, "i32"))
		strcpy(type, "i32");
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (begins(name + 1, known[i].name) && name + 1 + strlen(known[i].name) == open)
			do_known(p, &known[i], open + 1, result, type);
}

static void do_instruction(struct place *p, const char *line)
{
	char result[WORD];
	const char *text = line + 2;
	bool has_result = *text == '%';

	if (has_result) {
		text = take(text, " ", result);
		text = skip_word(text, "= ");
	}
	text = skip_word(skip_word(text, "tail "), "notail ");
	if (begins(text, "load "))
		do_load(p, line, text + strlen("load "));
	else if (begins(text, "store "))
		do_store(p, line, text + strlen("store "));
	else if (begins(text, "alloca "))
		do_alloca(p, line, text + strlen("alloca "), result);
	else if (begins(text, "call "))
		do_call(p, line, text + strlen("call "), has_result ? result : NULL);
	else if (begins(text, "atomicrmw") || begins(text, "cmpxchg"))
		die("not supported", line);
	else {
		if (begins(text, "ret "))
			printf("  call void @oracle_leave(i32 %u)\n", p->function);
		puts(line);
	}
	p->instruction++;
}

/* --- the file --- */

static void name_of(const char *text, char *out)
{
	size_t length = text[1] == '"' ? strcspn(text + 2, "\"") : strcspn(text + 1, "( ");

	if (length >= WORD)
		die("too long", text);
	sprintf(out, "%.*s", (int)length, text + 1 + (text[1] == '"'));
}

/* Structures that are passed by value are objects of the function. */
static void log_byvals(const struct place *p, const char *line)
{
	const char *rest = strchr(strchr(line, '@'), '(') + 1;
	char parameter[WORD], type[WORD];

	for (uint32_t i = 0; *rest && *rest != ')'; i++) {
		const char *byval;

		rest = take(rest, ",", parameter);
		byval = strstr(parameter, "byval(");
		if (!byval)
			continue;
		take(byval + strlen("byval("), "", type);
		printf("  call void @oracle_byval(i32 %u, i32 %u, ptr %s, i64 %s)\n", p->function,
		       i, strrchr(parameter, ' ') + 1, size_text(type));
	}
}

static void begin_block(const struct place *p, const char *define)
{
	if (p->block == 0) {
		printf("  call void @oracle_enter(i32 %u)\n", p->function);
		log_byvals(p, define);
	}
	printf("  call void @oracle_block(i32 %u, i32 %u)\n", p->function, p->block);
}

/* A function, whose first line is `at`. Returns the line behind it. */
static size_t do_function(size_t at)
{
	const char *define = lines[at];
	struct place p = {.function = functions++};
	char name[WORD];
	bool pending = true;

	name_of(strchr(define, '@'), name);
	fprintf(map, "function %s\n", name);
	find_labels(at + 1);
	stack_locals = 0;
	*stack_value = 0;
	puts(lines[at++]);
	if (is_label(lines[at]))
		puts(lines[at++]);
	map_block(at);
	if (!strcmp(name, "main"))
		puts("  call void @oracle_globals()");
	for (; strcmp(lines[at], "}"); at++) {
		if (is_label(lines[at])) {
			puts(lines[at]);
			p.block++;
			p.instruction = 0;
			pending = true;
			map_block(at + 1);
			continue;
		}
		if (!is_instruction(lines[at])) {
			puts(lines[at]);
			continue;
		}
		if (pending && strstr(lines[at], " = phi ")) {
			puts(lines[at]);
			p.instruction++;
			continue;
		}
		if (pending)
			begin_block(&p, define);
		pending = false;
		do_instruction(&p, lines[at]);
	}
	puts("}");
	return at + 1;
}

/* Is the line a variable that is defined here? Then its type goes to `type`. */
static bool is_global(const char *line, char *type)
{
	char word[WORD];
	const char *rest;

	if (*line != '@' || begins(line, "@llvm.") || !(rest = strstr(line, " = ")))
		return false;
	for (rest += 3; *rest;) {
		rest = take(rest, " ", word);
		if (!strcmp(word, "global") || !strcmp(word, "constant")) {
			take(rest, " ,", type);
			return true;
		}
		if (!strcmp(word, "alias") || !strcmp(word, "ifunc") || begins(word, "extern"))
			return false;
	}
	return false;
}

/* A function that tells where variables and functions are. */
static void add_globals(void)
{
	char name[WORD], type[WORD];
	uint32_t function = 0;

	puts("define internal void @oracle_globals() {");
	for (size_t i = 0; i < line_count; i++) {
		if (is_global(lines[i], type)) {
			name_of(lines[i], name);
			fprintf(map, "global %s\n", name);
			printf("  call void @oracle_global(i32 %u, ptr @\"%s\", i64 %s)\n",
			       globals++, name, size_text(type));
		} else if (begins(lines[i], "define ")) {
			name_of(strchr(lines[i], '@'), name);
			printf("  call void @oracle_function(i32 %u, ptr @\"%s\")\n", function++,
			       name);
		}
	}
	puts("  ret void\n}");
}

static void add_declarations(void)
{
	static const char *const places[] = {"load",    "store", "copy", "fill",
	                                     "dynamic", "pass",  "call"};

	puts("declare void @oracle_global(i32, ptr, i64)\ndeclare void @oracle_function(i32, ptr)");
	puts("declare void @oracle_enter(i32)\ndeclare void @oracle_leave(i32)");
	puts("declare void @oracle_block(i32, i32)");
	puts("declare void @oracle_local(i32, i32, ptr, i64)");
	puts("declare void @oracle_byval(i32, i32, ptr, i64)");
	/* The types are those of the calls; an unprototyped function fits them all. */
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		printf("declare void @oracle_%s(...)\n", places[i]);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		printf("declare void @oracle_%s(...)\n", known[i].name);
}

int main(int argc, char **argv)
{
	if (argc != 2 || !(map = fopen(argv[1], "w"))) {
		fprintf(stderr, "usage: rewrite MAP <PLAIN.ll >LOGGING.ll\n");
		return 2;
	}
	read_lines();
	for (size_t i = 0; i < line_count;)
		if (begins(lines[i], "define ") && !strstr(lines[i], " available_externally "))
			i = do_function(i);
		else
			puts(lines[i++]);
	add_globals();
	add_declarations();
	return fclose(map) || fflush(stdout) ? 1 : 0;
}
