/* getopt and getopt_long: short, long, optional and missing arguments, permutation, an unknown
 * option. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static int verbose;

static const struct option options[] = {
	{"output", required_argument, NULL, 'o'},
	{"level", optional_argument, NULL, 'l'},
	{"verbose", no_argument, &verbose, 1},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int level(const char *text)
{
	return text ? atoi(text) : 1;
}

int main(int argc, char **argv)
{
	int c, which = -1, sum = 0, unknown = 0;

	while ((c = getopt_long(argc, argv, "ab:o:l::hv", options, &which)) != -1) {
		switch (c) {
		case 'a': sum += 1; break;
		case 'b': sum += atoi(optarg); break;
		case 'o': printf("output %s\n", optarg); break;
		case 'l': printf("level %d\n", level(optarg)); break;
		case 'v': verbose++; break;
		case 'h': printf("help\n"); break;
		case 0: printf("long %s\n", options[which].name); break;
		default: unknown++; printf("unknown %c\n", optopt ? optopt : '-');
		}
	}
	printf("sum %d verbose %d unknown %d\n", sum, verbose, unknown);
	while (optind < argc)
		printf("rest %s\n", argv[optind++]);
	return unknown;
}
