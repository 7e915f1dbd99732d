/* Pieces of SARIF 2.1.0 that explanation_sarif.c puts together. Section numbers in these files are those of the OASIS standard. */
#ifndef HENCE_REPORT_SARIF_H
#define HENCE_REPORT_SARIF_H

#include "report/explanation.h"

/* A log that is being written. */
struct sarif {
	const struct explanation *e;
	struct str *out;
	const struct explanation_style *style;
	VEC(const char *) files; /* that places are in, in the order of `artifacts` */
};

/* --- text --- */

/* Appends `"key":{"text":...}`: a message that is shown as it stands. Braces would be placeholders (3.11.5) and
   `[a](b)` a link (3.11.6); control characters are written as escapes. One that is empty is '-'. */
void sarif_add_message(struct sarif *s, const char *key, const char *text);

/* Appends a text to a message that is put together with links: what stands in the message for it. */
void sarif_add_plain(struct str *message, const char *text);

/* Appends a link to the location of that number. */
void sarif_add_link(struct str *message, const char *text, unsigned number);

/* Appends `{` or `,{` of the next element of an array. */
void sarif_open(struct sarif *s);

/* Appends the words of a command as a shell takes them. */
void sarif_add_command(struct str *out, char *const *words, uint32_t count);

/* --- places --- */

/* Has it a file that can be named? */
bool sarif_has_file(const struct explanation_place *place);

/* The text of its line; NULL: not known. Valid as long as the explanation. */
const char *sarif_source(const struct sarif *s, const struct explanation_place *place);

/* Appends the members of a location but its message: where it is, and in which function. */
void sarif_add_location(struct sarif *s, const struct explanation_place *place);

/* Appends `"artifactLocation":{...}` of a file. */
void sarif_add_artifact(struct sarif *s, const char *file);

/* Characters in the first `length` bytes of a text, as columns are counted: units of UTF-16. */
unsigned sarif_columns(const char *text, size_t length);

/* Appends the members `originalUriBaseIds` and `artifacts`: the files that have been named so far. */
void sarif_add_artifacts(struct sarif *s);

/* --- edits --- */

/* Appends the member `fixes`: the changes of the code that are shown and have a patch. Nothing if there are none. */
void sarif_add_fixes(struct sarif *s);

/* --- the chain --- */

/* Appends the member `codeFlows`: the steps in their order. There is at least one. */
void sarif_add_flow(struct sarif *s);

/* --- rules --- */

/* The number of the rule of a kind of failure. */
unsigned sarif_rule_index(const char *kind);

/* Valid for ever. */
const char *sarif_rule_id(unsigned index);

/* Appends the member `rules`. */
void sarif_add_rules(struct sarif *s);

#endif
