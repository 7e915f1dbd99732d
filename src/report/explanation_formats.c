/* The table of printers: a new one is a file and a row here. */
#include "report/explanation.h"

const struct explanation_format explanation_formats[] = {
	{"text", explanation_print_text},   {"json", explanation_print_json},
	{"sarif", explanation_print_sarif}, {"html", explanation_print_html},
	{"dot", explanation_print_dot},     {"gcc", explanation_print_gcc},
};

const unsigned explanation_format_count =
	sizeof(explanation_formats) / sizeof(*explanation_formats);
