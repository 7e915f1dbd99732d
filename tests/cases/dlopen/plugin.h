/* Between the host and its plugins. */
struct plugin {
	const char *name;
	int (*work)(int);
};

extern int host_total;
int host_add(int v);
