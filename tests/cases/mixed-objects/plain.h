/* The interface of the uninstrumented half. */
struct point {
	int x, y;
};

extern int plain_depth;
extern int shared_counter;
extern struct point shared_points[4];

int instrumented_twice(int x);
void plain_upper(char *s);
void plain_bump_all(int by);
int plain_each(struct point *p, int n, int (*visit)(struct point *, void *), void *data);
int plain_callback(int (*f)(int), int n);
struct point plain_make(int x, int y);
int *plain_numbers(int n);
void *plain_open(const char *name);
const char *plain_next(void *state);
void plain_close(void *state);
int plain_variable(int n, ...);
double plain_mixed(int a, double b, float c, long d, char e);
