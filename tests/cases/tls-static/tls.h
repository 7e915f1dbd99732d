/* Shared by both files. */
struct counter {
	int n;
	int v[3];
};

extern _Thread_local int tls_total;
extern _Thread_local struct counter tls_counter;

int tls_bump(void);
int *tls_address(void);
