/* Shows a table of hosts; options say which, in the manner of arp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_ALL = 1,
	OPT_DELETE = 2,
	OPT_SET = 4,
	OPT_VERBOSE = 8,
	OPT_NUMERIC = 16,
	OPT_DEVICE = 32,
};

struct request {
	unsigned options;
	const char *device;
	const char *host;
};

struct entry {
	const char *host, *address, *device;
};

static const struct entry table[] = {
	{"gateway", "10.0.0.1", "eth0"},
	{"printer", "10.0.0.7", "eth1"},
	{"desk", "10.0.0.9", "eth0"},
};

static int parse_letter(struct request *request, char letter)
{
	switch (letter) {
	case 'a':
		request->options |= OPT_ALL;
		return 0;
	case 'v':
		request->options |= OPT_VERBOSE;
		return 0;
	case 'n':
		request->options |= OPT_NUMERIC;
		return 0;
	case 'i':
		request->options |= OPT_DEVICE;
		return 0;
	}
	return -1;
}

static int parse(struct request *request, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-') {
			request->host = argv[i];
			continue;
		}
		for (const char *p = argv[i] + 1; *p; p++)
			if (parse_letter(request, *p))
				return -1;
		if (request->options & OPT_DEVICE && !request->device && i + 1 < argc)
			request->device = argv[++i];
	}
	return 0;
}

static int same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static int wanted(const struct request *request, const struct entry *entry)
{
	if (request->options & (OPT_NUMERIC | OPT_DEVICE) && !same_text(request->device, entry->device))
		return 0;
	return !request->host || same_text(request->host, entry->host);
}

static int show(const struct request *request)
{
	int shown = 0;
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		if (!wanted(request, &table[i]))
			continue;
		printf("%s at %s\n", request->options & OPT_NUMERIC ? "?" : table[i].host, table[i].address);
		shown++;
	}
	if (request->options & OPT_VERBOSE)
		printf("%d entries\n", shown);
	return shown;
}

int main(int argc, char **argv)
{
	struct request request = {0, NULL, NULL};
	if (parse(&request, argc, argv)) {
		fprintf(stderr, "usage: hosts [-avn] [-i DEVICE] [HOST]\n");
		return 2;
	}
	show(&request);
	return 0;
}
