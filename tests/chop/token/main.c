/* token: the tokens of standard input, one on each line. */
#include "token.h"

int main(void)
{
	struct source source = {stdin, 1};
	struct token token;
	int counts[TOKEN_KINDS] = {0};
	token_read(&source, &token);
	while (token.kind != TOKEN_END) {
		const char *kind = token_kind_name(token.kind);
		printf("%d %s '%s'\n", token.line, kind, token.text);
		counts[token.kind]++;
		token_read(&source, &token);
	}
	for (int i = 1; i < TOKEN_KINDS; i++)
		printf("%ss: %d\n", token_kind_name(i), counts[i]);
	return 0;
}
