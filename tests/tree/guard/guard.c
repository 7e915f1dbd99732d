/* Counts the settings in a file and adds up the numbers among them: 'name = number' a line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct summary {
	int settings, numbers;
	long sum;
};

static char *skip_blanks(char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/* Lines that begin with '#' say nothing. */
static void read_line(char *line, struct summary *summary)
{
	line = skip_blanks(line);
	if (*line == '\n' || *line == '\0')
		return;
	char *equals = strchr(line, '=');
	if (!equals)
		return;
	summary->settings++;
	char *value = skip_blanks(equals + 1);
	if (isdigit((unsigned char)*value)) {
		summary->numbers++;
		summary->sum += strtol(value, NULL, 10);
	}
}

int main(void)
{
	struct summary summary = {0, 0, 0};
	char line[200];
	while (fgets(line, sizeof line, stdin))
		read_line(line, &summary);
	printf("%d settings, %d numbers\n", summary.settings, summary.numbers);
	printf("sum %ld\n", summary.sum);
	return 0;
}
