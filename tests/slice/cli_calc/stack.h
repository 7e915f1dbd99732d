struct cell {
	struct cell *below;
	long value;
};

extern int depth;
void push(long value);
long pop(void);
