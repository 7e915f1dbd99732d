/* Patterns of characters, '.', '[abc]', '[^a-z]', '*', '+', '?', '^' and '$'. */
#ifndef REGEX_H
#define REGEX_H

enum atom_kind { ATOM_CHARACTER, ATOM_ANY, ATOM_SET };
enum repeat { ONCE, OPTIONAL, ANY_NUMBER, AT_LEAST_ONE };

struct atom {
	enum atom_kind kind;
	enum repeat repeat;
	union {
		char character;
		unsigned char
			*set; /* 256 bits; caller of regex_parse() frees it with regex_free() */
	} what;
};

struct regex {
	struct atom atoms[32];
	int count;
	unsigned from_start : 1;
	unsigned to_end : 1;
};

/* False: the pattern is wrong. */
int regex_parse(struct regex *regex, const char *pattern);
/* The place of the first match, -1 if there is none; its length goes to `length`. */
int regex_find(const struct regex *regex, const char *text, int *length);
void regex_free(struct regex *regex);

#endif
