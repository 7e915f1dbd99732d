/* What a file is called when it is unpacked: [-S SUFFIX] NAME... */
#include <stdio.h>
#include <string.h>

#define Z_SUFFIX ".gz"
#define MOST     64

static const char *z_suffix = Z_SUFFIX;
static size_t z_len;
static int bad;

/* Does the name end in the suffix, with something before it? */
static int has_suffix(const char *name)
{
	size_t length = strlen(name);
	if (length <= z_len)
		return 0;
	return strcmp(name + length - z_len, z_suffix) == 0;
}

static void unpacked(const char *name)
{
	char out[MOST];
	if (strlen(name) >= sizeof out) {
		printf("%s: name is too long\n", name);
		bad = 1;
		return;
	}
	strcpy(out, name);
	if (!has_suffix(name)) {
		printf("%s: unknown suffix -- ignored\n", name);
		return;
	}
	out[strlen(name) - strlen(z_suffix)] = '\0';
	printf("%s\n", out);
}

static int read_options(int argc, char *argv[])
{
	int i = 1;
	while (i < argc && argv[i][0] == '-') {
		if (strcmp(argv[i], "-S") == 0 && i + 1 < argc) {
			z_suffix = argv[i + 1];
			i += 2;
		} else {
			i++;
		}
	}
	z_len = strlen(Z_SUFFIX);
	return i;
}

int main(int argc, char *argv[])
{
	for (int i = read_options(argc, argv); i < argc; i++)
		unpacked(argv[i]);
	return bad;
}
