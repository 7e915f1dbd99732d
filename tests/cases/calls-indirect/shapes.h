/* Shapes with methods. */
struct shape {
	const char *name;
	double size;
	double (*area)(const struct shape *);
	double (*perimeter)(const struct shape *);
};

extern struct shape shapes_all[];
extern int shapes_count;

int shapes_min(int a, int b);
int (*shapes_lookup(const char *name))(int, int);
int shapes_each(int n, int (*visit)(int, void *), void *data);
double shapes_square(double x);
int shapes_negate(int x);
