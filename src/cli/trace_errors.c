/* Prints the memory errors of a run, one line each. */
#include "cli/trace.h"
#include "report/json.h"

/* An instruction belongs to the statement that ends next; a call is counted when it begins. */
static uint64_t statement_of(const struct execution_error *error)
{
	return error->outside ? error->statement : error->statement + 1;
}

static void print_text(const struct execution_error *error, const struct walk_place *place,
                       const char *what)
{
	fputs("hence: ", stderr);
	if (place->file)
		fprintf(stderr, "%s:%u:%u in ", place->file, place->line, place->column);
	fprintf(stderr, "%s(): %s, statement %llu", place->function, what,
	        (unsigned long long)statement_of(error));
	if (error->count == 2)
		fputs(" (and once more)", stderr);
	else if (error->count > 2)
		fprintf(stderr, " (and %llu more times)", (unsigned long long)error->count - 1);
	fputc('\n', stderr);
}

static void print_json(const struct execution_error *error, const struct walk_place *place,
                       const char *what, FILE *file)
{
	struct str line = STR_INIT;

	str_printf(&line, "{\"error\":\"%s\",\"statement\":%llu", describe_error_kind(error->kind),
	           (unsigned long long)statement_of(error));
	if (place->file) {
		str_add(&line, ",\"file\":");
		json_add_string(&line, place->file);
		str_printf(&line, ",\"line\":%u,\"column\":%u", place->line, place->column);
	}
	str_add(&line, ",\"function\":");
	json_add_string(&line, place->function);
	str_add(&line, ",\"text\":");
	json_add_string(&line, what);
	if (error->address)
		str_printf(&line, ",\"address\":\"%#llx\",\"size\":%llu",
		           (unsigned long long)error->address, (unsigned long long)error->size);
	fprintf(file, "%s,\"count\":%llu}\n", str_text(&line), (unsigned long long)error->count);
	str_deinit(&line);
}

void trace_errors_print(struct names *names, struct describe_errors *described, FILE *json,
                        bool halted)
{
	uint32_t count;
	const struct execution_error *errors;

	describe_errors_follow(described);
	errors = execution_errors(names_execution(names), &count);
	for (uint32_t i = 0; i < count; i++) {
		struct walk_place place = names_place(names, errors[i].code);
		struct str what = STR_INIT;

		if (halted && errors[i].kind == ERROR_FAULT)
			continue;
		describe_error(described, i, &what);
		if (json)
			print_json(&errors[i], &place, str_text(&what), json);
		else
			print_text(&errors[i], &place, str_text(&what));
		str_deinit(&what);
	}
}
