/* Plausible edits as fixes of SARIF (3.55): see sarif.h. */
#include <string.h>

#include "report/explanation_fixes.h"
#include "report/json.h"
#include "report/sarif.h"

/* The changed text in the line that it is in; NULL: it is not there, or is more than a line. */
static const char *find_before(struct sarif *s, const struct explanation_fix *fix)
{
	const char *source = sarif_source(s, &fix->at), *before = fix->before ? fix->before : "";

	if (!source || !fix->patch || !fix->at.line || !sarif_has_file(&fix->at) ||
	    strchr(before, '\n'))
		return NULL;
	source += strspn(source, " \t");
	return strncmp(source, before, strlen(before)) ? NULL : source;
}

static void add_fix(struct sarif *s, const struct explanation_fix *fix)
{
	const char *source = sarif_source(s, &fix->at), *text = find_before(s, fix);
	unsigned column = sarif_columns(source, (size_t)(text - source)) + 1;
	struct str tried = STR_INIT;

	sarif_open(s);
	explanation_add_tried(&tried, s->e, fix);
	sarif_add_message(s, "description", str_text(&tried));
	str_deinit(&tried);
	json_add_key(s->out, "artifactChanges");
	str_add(s->out, "[{");
	sarif_add_artifact(s, fix->at.file);
	json_add_key(s->out, "replacements");
	str_add(s->out, "[{");
	json_add_key(s->out, "deletedRegion");
	str_add_char(s->out, '{');
	json_add_number(s->out, "startLine", fix->at.line);
	json_add_number(s->out, "startColumn", column);
	json_add_number(s->out, "endColumn",
	                column + sarif_columns(text, strlen(fix->before ? fix->before : "")));
	str_add_char(s->out, '}');
	if (fix->after && *fix->after) {
		json_add_key(s->out, "insertedContent");
		str_add_char(s->out, '{');
		json_add_member(s->out, "text", fix->after);
		str_add_char(s->out, '}');
	}
	str_add(s->out, "}]}]}");
}

void sarif_add_fixes(struct sarif *s)
{
	bool any = false;

	for (uint32_t i = 0; i < explanation_shown_fixes(s->e, s->style); i++) {
		if (!find_before(s, &s->e->fixes.at[i]))
			continue;
		if (!any) {
			json_add_key(s->out, "fixes");
			str_add_char(s->out, '[');
		}
		any = true;
		add_fix(s, &s->e->fixes.at[i]);
	}
	if (any)
		str_add_char(s->out, ']');
}
