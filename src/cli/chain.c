/* `hence chain`: the failure-inducing chain, from the fault to the failure. */
#include "cli/commands.h"
#include "cli/explain.h"

static const char help[] =
	"hence chain [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Follows a failure backwards. Before the failure, the smallest set of variables is found "
	"that\n"
	"makes the reference run fail when it gets their values of the failing run; then where "
	"these\n"
	"were defined, and the smallest set that brings about these values there, and so on, until "
	"the\n"
	"runs are equal or the input is reached. Each step causes the next. The program must have "
	"been\n"
	"built with hence cc; it runs confined, so no file of yours is changed.\n"
	"\n"
	"  --algorithm NAME    dependence: go from definition to definition (the default);\n"
	"                      hierarchical: search by halves in the tree of calls; the same "
	"chain\n"
	"  --against FILE      measure the chain against that of a report (saved with --json), "
	"such "
	"as\n"
	"                      the one with the corrected program as reference\n";

void chain_add_quality(const struct explain_command *command, struct explanation *out)
{
	struct explanation_part *part = vec_push(&out->parts);
	struct chain_statements own = {0};
	struct chain_quality quality;
	struct str text = STR_INIT;

	chain_statements_of(out, &own);
	chain_quality_of(&command->ideal, &own, &quality);
	chain_statements_deinit(&own);
	*part = (struct explanation_part){.key = "quality"};
	chain_quality_add_json(&quality, &part->json);
	str_printf(&text, "against %s: ", command->against);
	chain_quality_add_text(&quality, &text);
	*vec_push(&out->notes) = str_steal(&text);
}

int command_chain(int argc, char **argv)
{
	return explain_command_run(argc, argv, "chain", help);
}
