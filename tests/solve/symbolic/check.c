/*
 * check MODELS FOLDER: decodes the first tape of the session in FOLDER and compares the run as terms with
 * what happened:
 *
 *	- the definition of each symbol, with the values that its inputs had, gives the value that it had;
 *	- what each branch says was true;
 *	- with all symbols replaced by their definitions, for some of them, a constant is left: that value.
 *
 * Prints how many symbols of which form there were. What does not agree is said on stderr, and the exit code is 1.
 * Runs that would take long are left out: 3.
 */
#include <stdio.h>
#include <stdlib.h>

#include "outside/table.h"
#include "solve/symbolic.h"

#define LONGEST 1000000u /* instances */
#define SAMPLES 400u /* values of which everything is replaced */

static unsigned complaints;
static uint64_t forms[SYMBOLIC_CONSTANT + 1], branches, replaced;

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "check: %s\n", error->message);
	exit(2);
}

static void complain(struct symbolic *s, uint32_t instance, const char *what, uint64_t expected,
                     uint64_t got, term t)
{
	LLVMValueRef i = execution_instruction(symbolic_execution(s), instance);
	char *text = LLVMPrintValueToString(i);
	struct str str = {0};

	if (complaints++ < 20) {
		term_print(symbolic_terms(s), t, &str);
		fprintf(stderr, "instance %u, line %u: %s: %llx, not %llx:%s\n\t%.300s\n", instance,
		        LLVMGetDebugLocLine(i), what, (unsigned long long)got,
		        (unsigned long long)expected, text, str.text);
	}
	str_deinit(&str);
	LLVMDisposeMessage(text);
}

static void check_symbol(struct symbolic *s, uint32_t index)
{
	struct symbolic_definition d = *symbolic_define(s, index);
	uint64_t value = term_evaluate(symbolic_terms(s), d.term, symbolic_actual, s);

	forms[d.form]++;
	if (value != symbolic_actual(s, index))
		complain(s, symbolic_symbol(s, index)->instance,
		         symbolic_symbol(s, index)->at ? "byte" : "value",
		         symbolic_actual(s, index), value, d.term);
}

static void check_branch(struct symbolic *s, uint32_t instance)
{
	term t = symbolic_branch(s, instance, UINT32_MAX);

	if (!t)
		return;
	branches++;
	if (term_evaluate(symbolic_terms(s), t, symbolic_actual, s) != 1)
		complain(s, instance, "branch", 1, 0, t);
}

static term define(void *context, uint64_t number)
{
	return number >= TERM_ANY ? 0 : symbolic_define(context, (uint32_t)number)->term;
}

/* All at once: what they share is replaced once. */
static void check_replaced(struct symbolic *s)
{
	struct terms *terms = symbolic_terms(s);
	uint32_t step = 1 + symbolic_count(s) / SAMPLES, indices[SAMPLES];
	term all[SAMPLES];
	uint64_t value;

	for (uint32_t i = 0; i < symbolic_count(s) && replaced < SAMPLES; i += step) {
		indices[replaced] = i;
		all[replaced++] = term_variable(terms, symbolic_symbol(s, i)->bits, i);
	}
	term_replace_all(terms, all, (uint32_t)replaced, define, s);
	for (uint32_t k = 0; k < replaced; k++) {
		value = 0;
		if (!term_is_constant(terms, all[k], &value) ||
		    value != symbolic_actual(s, indices[k]))
			complain(s, symbolic_symbol(s, indices[k])->instance, "all replaced",
			         symbolic_actual(s, indices[k]), value, all[k]);
	}
}

/* A value must be the one that was kept. */
static void check_value(struct symbolic *s, uint32_t instance)
{
	term t = symbolic_value(s, instance);
	uint32_t bits = t ? term_at(symbolic_terms(s), t)->bits : 0;
	uint64_t kept = execution_value(symbolic_execution(s), instance);

	if (t && term_evaluate(symbolic_terms(s), t, symbolic_actual, s) !=
	                 (bits < 64 ? kept & ((1ull << bits) - 1) : kept))
		complain(s, instance, "kept", kept, 0, t);
}

static void check(struct execution *e)
{
	struct terms *terms = terms_create();
	struct symbolic *s = symbolic_create(e, terms);
	uint32_t first, end;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		check_value(s, i);
		check_branch(s, i);
	}
	for (uint32_t i = 0; i < symbolic_count(s); i++)
		check_symbol(s, i);
	check_replaced(s);
	symbolic_destroy(s);
	terms_destroy(terms);
}

int main(int argc, char **argv)
{
	struct execution_options options = {.retain = true, .bytes = true};
	struct modules *modules = modules_create();
	struct execution *e;
	void *table;
	size_t size;
	bool too_long;

	if (argc != 3) {
		fprintf(stderr, "usage: check MODELS FOLDER\n");
		return 2;
	}
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	options.table = table;
	must(execution_create(modules, argv[2], 0, &options, &e));
	must(execution_run(e, NULL));
	too_long = execution_instances(e) > LONGEST && !getenv("HENCE_TEST_LONG");
	if (!too_long)
		check(e);
	printf("computed %llu, read %llu, written %llu, returned %llu, given %llu, constant %llu, "
	       "branches %llu, replaced %llu\n",
	       (unsigned long long)forms[SYMBOLIC_COMPUTED],
	       (unsigned long long)forms[SYMBOLIC_READ],
	       (unsigned long long)forms[SYMBOLIC_WRITTEN],
	       (unsigned long long)forms[SYMBOLIC_RETURNED],
	       (unsigned long long)forms[SYMBOLIC_GIVEN],
	       (unsigned long long)forms[SYMBOLIC_CONSTANT], (unsigned long long)branches,
	       (unsigned long long)replaced);
	execution_destroy(e);
	modules_destroy(modules);
	free(table);
	return too_long ? 3 : complaints ? 1 : 0;
}
