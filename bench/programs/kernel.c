/*
 * Benchmark: numeric kernels on arrays of doubles: a matrix product, a fast Fourier transform,
 * bodies that attract each other, a heat stencil and a sparse solver. One round is about a million
 * executed IR instructions at -O0. Usage: kernel ROUNDS; prints a checksum.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATRIX 20
#define POINTS 256
#define BODIES 8
#define STEPS  12
#define GRID   34
#define SWEEPS 4
#define ROWS   200
#define TURNS  5

static uint32_t random_state = 7;

/* Between -1 and 1. */
static double random_double(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (double)(random_state >> 8) / (1 << 23) - 1;
}

/* --- matrix product --- */

static double a[MATRIX][MATRIX], b[MATRIX][MATRIX], c[MATRIX][MATRIX];

static void multiply(int n, double x[n][n], double y[n][n], double z[n][n])
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;

			for (int k = 0; k < n; k++)
				sum += x[i][k] * y[k][j];
			z[i][j] = sum;
		}
}

static double matrix(void)
{
	double trace = 0;

	for (int i = 0; i < MATRIX; i++)
		for (int j = 0; j < MATRIX; j++) {
			a[i][j] = random_double();
			b[i][j] = i == j ? 2 : a[i][j] / 10;
		}
	multiply(MATRIX, a, b, c);
	for (int i = 0; i < MATRIX; i++)
		trace += c[i][i];
	return trace;
}

/* --- fast Fourier transform --- */

struct complex_number {
	double re, im;
};

static struct complex_number signal_[POINTS];

static void reorder(struct complex_number *v, unsigned n)
{
	for (unsigned i = 1, j = 0; i < n; i++) {
		unsigned bit = n >> 1;

		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			struct complex_number t = v[i];

			v[i] = v[j];
			v[j] = t;
		}
	}
}

static struct complex_number times(struct complex_number x, struct complex_number y)
{
	return (struct complex_number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static void transform(struct complex_number *v, unsigned n, int direction)
{
	reorder(v, n);
	for (unsigned length = 2; length <= n; length <<= 1) {
		double angle = direction * 2 * M_PI / length;
		struct complex_number turn = {cos(angle), sin(angle)};

		for (unsigned i = 0; i < n; i += length) {
			struct complex_number w = {1, 0};

			for (unsigned j = 0; j < length / 2; j++) {
				struct complex_number u = v[i + j],
						      t = times(v[i + j + length / 2], w);

				v[i + j].re = u.re + t.re;
				v[i + j].im = u.im + t.im;
				v[i + j + length / 2].re = u.re - t.re;
				v[i + j + length / 2].im = u.im - t.im;
				w = times(w, turn);
			}
		}
	}
}

static double fourier(void)
{
	double power = 0;

	for (int i = 0; i < POINTS; i++)
		signal_[i] = (struct complex_number){random_double(), 0};
	transform(signal_, POINTS, 1);
	for (int i = 0; i < POINTS; i++)
		power += signal_[i].re * signal_[i].re + signal_[i].im * signal_[i].im;
	return power / POINTS;
}

/* --- bodies --- */

struct body {
	double x[3], v[3], mass;
};

static struct body bodies[BODIES];

static void attract(struct body *p, struct body *q, double dt)
{
	double d[3], r2 = 0.01, force;

	for (int k = 0; k < 3; k++) {
		d[k] = p->x[k] - q->x[k];
		r2 += d[k] * d[k];
	}
	force = dt / (r2 * sqrt(r2));
	for (int k = 0; k < 3; k++) {
		p->v[k] -= d[k] * q->mass * force;
		q->v[k] += d[k] * p->mass * force;
	}
}

static double move_bodies(void)
{
	double energy = 0;

	for (int i = 0; i < BODIES; i++) {
		bodies[i].mass = 1 + i;
		for (int k = 0; k < 3; k++) {
			bodies[i].x[k] = random_double() * 10;
			bodies[i].v[k] = 0;
		}
	}
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < BODIES; i++)
			for (int j = i + 1; j < BODIES; j++)
				attract(&bodies[i], &bodies[j], 0.01);
		for (int i = 0; i < BODIES; i++)
			for (int k = 0; k < 3; k++)
				bodies[i].x[k] += bodies[i].v[k] * 0.01;
	}
	for (int i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			energy += bodies[i].mass * bodies[i].v[k] * bodies[i].v[k] / 2;
	return energy;
}

/* --- stencil --- */

static double grid[2][GRID][GRID];

static double heat(void)
{
	double sum = 0;
	int now = 0;

	memset(grid, 0, sizeof(grid));
	for (int i = 0; i < GRID; i++)
		grid[0][0][i] = grid[1][0][i] = 100 + random_double();
	for (int sweep = 0; sweep < SWEEPS; sweep++, now = !now)
		for (int i = 1; i < GRID - 1; i++)
			for (int j = 1; j < GRID - 1; j++)
				grid[!now][i][j] =
					0.25 * (grid[now][i - 1][j] + grid[now][i + 1][j] +
				                grid[now][i][j - 1] + grid[now][i][j + 1]);
	for (int i = 0; i < GRID; i++)
		sum += grid[now][i][GRID / 2];
	return sum;
}

/* --- sparse matrix, Jacobi's method --- */

static int row_start[ROWS + 1], column[ROWS * 4];
static double entry[ROWS * 4], x_old[ROWS], x_new[ROWS];

static void sparse_matrix(void)
{
	int n = 0;

	for (int i = 0; i < ROWS; i++) {
		row_start[i] = n;
		for (int k = 0; k < 4; k++, n++) {
			column[n] = (i * 7 + k * 31) % ROWS;
			entry[n] = random_double() / 8;
		}
	}
	row_start[ROWS] = n;
}

static double jacobi(void)
{
	double *from = x_old, *to = x_new, norm = 0;

	sparse_matrix();
	memset(x_old, 0, sizeof(x_old));
	for (int turn = 0; turn < TURNS; turn++) {
		double *t = from;

		for (int i = 0; i < ROWS; i++) {
			double sum = 1;

			for (int k = row_start[i]; k < row_start[i + 1]; k++)
				sum -= entry[k] * from[column[k]];
			to[i] = sum;
		}
		from = to;
		to = t;
	}
	for (int i = 0; i < ROWS; i++)
		norm += from[i] * from[i];
	return sqrt(norm);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	double sum[5] = {0};

	while (rounds-- > 0) {
		sum[0] += matrix();
		sum[1] += fourier();
		sum[2] += move_bodies();
		sum[3] += heat();
		sum[4] += jacobi();
	}
	printf("kernel %.9g %.9g %.9g %.9g %.9g\n", sum[0], sum[1], sum[2], sum[3], sum[4]);
	return 0;
}
