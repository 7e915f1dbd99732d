#include <stdio.h>
#include "calc.h"

static int calculate(const char *text)
{
	struct lexer lexer;
	jmp_buf failed;
	lexer_start(&lexer, text, &failed);
	if (setjmp(failed)) {
		printf("%s: %s at %d\n", text, lexer.message, lexer.at);
		return 0;
	}
	lexer_next(&lexer);
	parse_sum(&lexer);
	if (lexer.token.kind != TOKEN_END)
		lexer_fail(&lexer, "expected the end");
	return 1;
}

int main(int argc, char **argv)
{
	int good = 0;
	for (int i = 1; i < argc; i++)
		good += calculate(argv[i]);
	return good == argc - 1 ? 0 : 1;
}
