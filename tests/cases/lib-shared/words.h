/* The library's interface. */
typedef void (*words_visitor)(const char *word, int length, void *data);

extern int words_limit, words_ready;
extern const char *const words_table[3];

int words_split(const char *text, words_visitor visit, void *data);
int words_calls(void);

/* Defined by the program, called by the library. */
int words_is_separator(char c);
