/* Places of SARIF: see sarif.h. */
#include <string.h>

#include "report/json.h"
#include "report/sarif.h"

/* Where relative names of files begin: the folder that the program was compiled in. Viewers ask for it, or take the
   folder that is open in them. */
#define BASE "SRCROOT"

bool sarif_has_file(const struct explanation_place *place)
{
	return place && place->file && place->file[strspn(place->file, "./")];
}

const char *sarif_source(const struct sarif *s, const struct explanation_place *place)
{
	if (place->source)
		return place->source;
	for (uint32_t i = 0; i < s->e->sources.size && place->file; i++) {
		const struct explanation_source *source = &s->e->sources.at[i];

		if (!strcmp(source->file, place->file) && place->line >= source->first &&
		    place->line - source->first < source->lines.size)
			return source->lines.at[place->line - source->first];
	}
	return NULL;
}

/* --- files --- */

/* What may stand in a path of a URI as it is. A colon may not: it would end the name of a scheme. */
static bool is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("-._~/", c));
}

static void add_encoded(struct str *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (is_unreserved(text[i]))
			str_add_char(out, text[i]);
		else
			str_printf(out, "%%%02X", (unsigned char)text[i]);
}

/* Without segments that are empty or '.' (3.10.2). '..' stays: where it leads, links decide. */
static void add_path(struct str *out, const char *file)
{
	const char *between = "";

	while (*file) {
		size_t length = strcspn(file, "/");

		if (length && !(length == 1 && *file == '.')) {
			str_add(out, between);
			add_encoded(out, file, length);
			between = "/";
		}
		file += length + (file[length] == '/');
	}
}

static void add_artifact_location(struct sarif *s, const char *file, uint32_t index)
{
	struct str uri = STR_INIT;

	str_add(&uri, *file == '/' ? "file:///" : "");
	add_path(&uri, file);
	str_add_char(s->out, '{');
	json_add_member(s->out, "uri", str_text(&uri));
	if (*file != '/')
		json_add_member(s->out, "uriBaseId", BASE);
	json_add_number(s->out, "index", index);
	str_add_char(s->out, '}');
	str_deinit(&uri);
}

static uint32_t file_index(struct sarif *s, const char *file)
{
	for (uint32_t i = 0; i < s->files.size; i++)
		if (!strcmp(s->files.at[i], file))
			return i;
	*vec_push(&s->files) = file;
	return s->files.size - 1;
}

void sarif_add_artifact(struct sarif *s, const char *file)
{
	json_add_key(s->out, "artifactLocation");
	add_artifact_location(s, file, file_index(s, file));
}

void sarif_add_artifacts(struct sarif *s)
{
	json_add_key(s->out, "originalUriBaseIds");
	str_add(s->out, "{\"" BASE "\":{");
	sarif_add_message(s, "description",
	                  "The folder that the program was compiled in: relative names of files "
	                  "begin there.");
	str_add(s->out, "}}");
	json_add_key(s->out, "artifacts");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < s->files.size; i++) {
		sarif_open(s);
		json_add_key(s->out, "location");
		add_artifact_location(s, s->files.at[i], i);
		json_add_member(s->out, "sourceLanguage", "c");
		str_add_char(s->out, '}');
	}
	str_add_char(s->out, ']');
}

/* --- lines --- */

unsigned sarif_columns(const char *text, size_t length)
{
	const char *end = text + length;
	unsigned units = 0;

	while (text < end) {
		size_t size = json_utf8_length((const unsigned char *)text);

		units += size == 4 ? 2 : 1;
		text += size ? size : 1;
	}
	return units;
}

/* Compilers count bytes; here units of UTF-16 are counted, as most viewers do. A byte that is no UTF-8 is shown as
   one character. *rest is the text from the character there on; NULL: it is not known. */
static unsigned utf16_column(const char *source, unsigned column, const char **rest)
{
	unsigned units = 1;
	size_t length;

	*rest = column ? NULL : source;
	if (!source || !column || column > strlen(source))
		return column;
	for (const char *end = source + column;; source += length) {
		length = json_utf8_length((const unsigned char *)source);
		length += !length;
		if (source + length >= end)
			break;
		units += length == 4 ? 2 : 1;
	}
	*rest = source;
	return units;
}

static void add_snippet(struct sarif *s, const char *text)
{
	json_add_key(s->out, "snippet");
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", text);
	str_add_char(s->out, '}');
}

/* A region that has no end goes to the end of its line (3.30.2): so does its text. The whole line is its context,
   unless it is the region itself. */
static void add_regions(struct sarif *s, const struct explanation_place *place)
{
	const char *source = sarif_source(s, place), *rest;
	unsigned column = utf16_column(source, place->column, &rest);

	json_add_key(s->out, "region");
	str_add_char(s->out, '{');
	json_add_number(s->out, "startLine", place->line);
	json_add_nonzero(s->out, "startColumn", column);
	if (rest)
		add_snippet(s, rest);
	str_add_char(s->out, '}');
	if (!source || column < 2)
		return;
	json_add_key(s->out, "contextRegion");
	str_add_char(s->out, '{');
	json_add_number(s->out, "startLine", place->line);
	add_snippet(s, source);
	str_add_char(s->out, '}');
}

void sarif_add_location(struct sarif *s, const struct explanation_place *place)
{
	if (!place)
		return;
	if (sarif_has_file(place)) {
		json_add_key(s->out, "physicalLocation");
		str_add_char(s->out, '{');
		sarif_add_artifact(s, place->file);
		if (place->line)
			add_regions(s, place);
		str_add_char(s->out, '}');
	}
	if (!place->function)
		return;
	json_add_key(s->out, "logicalLocations");
	str_add(s->out, "[{");
	json_add_member(s->out, "name", place->function);
	json_add_member(s->out, "kind", "function");
	str_add(s->out, "}]");
}
