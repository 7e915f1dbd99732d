/* Prints one executed statement: a line for a person, or an object of JSON. */
#include <string.h>

#include "cli/trace.h"
#include "report/json.h"

#define WIDEST 159 /* characters of a line */

/* --- for a person --- */

/* `same`: a value that need not be told again; NULL: none. */
static void add_values(const struct described_value *values, uint32_t count, const char *word,
                       const char *same, struct str *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const char *value = str_text(&values[i].value);

		str_printf(out, "%s%s", i ? ", " : word, str_text(&values[i].name.text));
		if (!same || strcmp(same, value))
			str_printf(out, " = %s", value);
	}
}

/* Adds what the text of the statement does not say itself; what a call did comes first, since long
   lines are cut. */
static void add_notes(const struct described *s, struct str *out)
{
	bool writes = s->kind == DESCRIBED_CALL && s->writes.size;
	const char *same = s->kind == DESCRIBED_COPY ? str_text(&s->writes.at[0].value) : NULL;

	if (s->unfinished)
		str_add(out, "  did not return");
	if (!s->reads.size && !writes)
		return;
	str_add(out, "   (");
	if (writes)
		add_values(s->writes.at, s->writes.size, "wrote ", NULL, out);
	if (s->reads.size && writes)
		str_add(out, "; ");
	add_values(s->reads.at, s->reads.size, "read ", same, out);
	str_add_char(out, ')');
}

/* Shortens a line, not in the middle of a character. */
static void cut(struct str *line)
{
	size_t at = WIDEST - 3;

	if (line->length <= WIDEST)
		return;
	while (at && ((unsigned char)line->text[at] & 0xc0) == 0x80)
		at--;
	line->length = at;
	line->text[at] = '\0';
	str_add(line, "...");
}

static void widen(int *width, int length, int most)
{
	if (length > *width)
		*width = length < most ? length : most;
}

void trace_measure(struct trace_printer *printer, LLVMValueRef function, const char *name)
{
	LLVMValueRef last = LLVMGetLastInstruction(LLVMGetLastBasicBlock(function));
	const char *file;
	unsigned length;

	widen(&printer->function_width, (int)strlen(name), 16);
	if (!LLVMInstructionGetDebugLoc(last))
		return;
	file = LLVMGetDebugLocFilename(last, &length);
	widen(&printer->place_width,
	      (int)strlen(file) + snprintf(NULL, 0, ":%u", LLVMGetDebugLocLine(last)), 30);
}

static void print_text(struct trace_printer *printer, const struct described *s)
{
	struct str line = STR_INIT, place = STR_INIT;

	if (s->place.file)
		str_printf(&place, "%s:%u", s->place.file, s->place.line);
	widen(&printer->place_width, (int)place.length, 30);
	widen(&printer->function_width, (int)strlen(s->place.function), 24);
	str_printf(&line, "%7llu  %-*s  %-*s  %s", (unsigned long long)s->number,
	           printer->place_width, str_text(&place), printer->function_width,
	           s->place.function, str_text(&s->text));
	add_notes(s, &line);
	cut(&line);
	fprintf(printer->file, "%s\n", str_text(&line));
	str_deinit(&line);
	str_deinit(&place);
}

/* --- for a machine --- */

static void add_string(struct str *out, const char *key, const char *text)
{
	str_printf(out, ",\"%s\":", key);
	json_add_string(out, text);
}

static void add_list(struct str *out, const char *key, const struct described_value *values,
                     uint32_t count)
{
	str_printf(out, ",\"%s\":[", key);
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? ",{\"name\":" : "{\"name\":");
		json_add_string(out, str_text(&values[i].name.text));
		add_string(out, "value", str_text(&values[i].value));
		if (values[i].name.address)
			str_printf(out, ",\"address\":\"%#llx\",\"size\":%llu",
			           (unsigned long long)values[i].name.address,
			           (unsigned long long)values[i].name.size);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void print_json(struct trace_printer *printer, const struct described *s)
{
	static const char *const kinds[] = {
		[DESCRIBED_STORE] = "store",   [DESCRIBED_COPY] = "copy",
		[DESCRIBED_FILL] = "fill",     [DESCRIBED_BRANCH] = "branch",
		[DESCRIBED_SWITCH] = "switch", [DESCRIBED_JUMP] = "jump",
		[DESCRIBED_CALL] = "call",     [DESCRIBED_RETURN] = "return",
		[DESCRIBED_OTHER] = "other",
	};
	struct str line = STR_INIT;

	str_printf(&line, "{\"statement\":%llu", (unsigned long long)s->number);
	if (s->place.file) {
		add_string(&line, "file", s->place.file);
		str_printf(&line, ",\"line\":%u,\"column\":%u", s->place.line, s->place.column);
	}
	add_string(&line, "function", s->place.function);
	str_printf(&line, ",\"depth\":%u", s->depth);
	add_string(&line, "kind", kinds[s->kind]);
	add_string(&line, "text", str_text(&s->text));
	if (s->callee) {
		add_string(&line, "callee", s->callee);
		add_string(&line, "arguments", str_text(&s->arguments));
	}
	if (s->unfinished || s->calls_back)
		str_add(&line, ",\"returned\":false");
	if (s->result.length)
		add_string(&line, "result", str_text(&s->result));
	add_list(&line, "reads", s->reads.at, s->reads.size);
	add_list(&line, "writes", s->writes.at, s->writes.size);
	fprintf(printer->file, "%s}\n", str_text(&line));
	str_deinit(&line);
}

void trace_print(struct trace_printer *printer, const struct described *s)
{
	if (printer->json)
		print_json(printer, s);
	else
		print_text(printer, s);
}
