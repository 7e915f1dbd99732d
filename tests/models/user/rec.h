#ifndef REC_H
#define REC_H

#include <stdio.h>

struct rec {
	int count;
	char *names[8];
};

struct rec *rec_open(const char *path);
int rec_read(struct rec *r, int *fields, int n, FILE *in);
void rec_sort(struct rec *r, int *fields, int n, int (*cmp)(int, int));
const char *rec_error(void);
void rec_close(struct rec *r);

#endif
