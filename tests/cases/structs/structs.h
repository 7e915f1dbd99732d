/* Structures of all classes of the x86-64 calling convention. */
struct point {
	double x, y;
};

struct mixed {
	double d;
	int i;
};

struct floats {
	float a, b, c;
};

struct ld {
	long double v;
	char tag;
};

struct nested {
	struct mixed m;
	struct point p[2];
	int n;
};

struct list {
	int v;
	struct list *rest;
};

struct empty {
};

struct ops {
	struct point (*add)(struct point, struct point);
	struct point (*scale)(struct point, double);
	long spare[3];
};

struct ops structs_ops(void);
struct mixed structs_mixed(struct mixed m, int times);
struct ld structs_ld(struct ld l);
struct floats structs_floats(struct floats f);
void structs_none(struct empty e);
