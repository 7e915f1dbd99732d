/* glibc's last words: see abort_message.h. */
#include "run/abort_message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/process_memory.h"

#define LONGEST 4096

struct search {
	GElf_Addr address; /* of the variable; 0: not found */
};

static int search_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         void *arg)
{
	struct search *search = arg;
	int count = dwfl_module_getsymtab(module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *text =
			dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);

		if (text && symbol.st_shndx != SHN_UNDEF && !strcmp(text, "__abort_msg")) {
			search->address = address;
			return DWARF_CB_ABORT;
		}
	}
	return DWARF_CB_OK;
}

char *abort_message_read(Dwfl *dwfl, pid_t pid)
{
	struct search search = {0};
	uint64_t at = 0;
	uint32_t size = 0; /* of the allocation; the text ends with a 0 before */
	char text[LONGEST];

	dwfl_getmodules(dwfl, search_module, &search, 0);
	if (!search.address || !process_memory_read(pid, search.address, &at, sizeof(at)) || !at ||
	    !process_memory_read(pid, at, &size, sizeof(size)) || size <= sizeof(size))
		return NULL;
	size -= sizeof(size);
	if (size > sizeof(text) - 1)
		size = sizeof(text) - 1;
	if (!process_memory_read(pid, at + 4, text, size))
		return NULL;
	text[size] = '\0';
	for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]); end--)
		text[end - 1] = '\0';
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	return *text ? mem_strdup(text) : NULL;
}

/* The last place of `text` before `end`; NULL: none. */
static const char *find_before(const char *start, const char *end, const char *text)
{
	size_t length = strlen(text);

	for (const char *at = end - length; at >= start; at--)
		if (!strncmp(at, text, length))
			return at;
	return NULL;
}

/* 'int find(const char *)' -> 'find'; a plain name stays. */
static char *plain_function(const char *text, size_t length)
{
	const char *end = memchr(text, '(', length);
	const char *start;

	if (!end)
		end = text + length;
	for (start = end; start > text; start--)
		if (!isalnum((unsigned char)start[-1]) && start[-1] != '_')
			break;
	return mem_strndup(start, end - start);
}

bool abort_message_parse(const char *message, struct outcome_assert *out)
{
	const char *text = strstr(message, "Assertion `");
	const char *end = message + strlen(message) - strlen("' failed.");
	const char *function_end, *function, *line, *file;

	if (!text || end <= text + 11 || strcmp(end, "' failed."))
		return false;
	function_end = find_before(message, text, ": ");
	function = function_end ? find_before(message, function_end, ": ") : NULL;
	line = function ? find_before(message, function, ":") : NULL;
	if (!line)
		return false;
	file = strstr(message, ": ");
	file = file < line ? file + 2 : message;
	out->text = mem_strndup(text + 11, end - text - 11);
	out->file = mem_strndup(file, line - file);
	out->line = atoi(line + 1);
	out->function = plain_function(function + 2, function_end - function - 2);
	return true;
}
