/* Run lengths: each run of equal bytes as a pair. */
#ifndef RLE_H
#define RLE_H

#include <stddef.h>

struct run {
	unsigned char length;
	unsigned char byte;
};

/* Returns the number of runs. `out` has room for `size`. */
size_t rle_pack(const char *bytes, size_t size, struct run *out);
size_t rle_unpack(const struct run *runs, size_t count, char *out, size_t room);

#endif
