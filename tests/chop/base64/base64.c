#include <string.h>
#include "base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes as four groups of six bits. */
union group {
	unsigned long all;
	struct {
		unsigned d : 6, c : 6, b : 6, a : 6;
	} six;
};

size_t base64_room(size_t size)
{
	return (size + 2) / 3 * 4 + 1;
}

static unsigned long join(const char *bytes, size_t size)
{
	unsigned long all = 0;
	for (size_t i = 0; i < 3; i++) {
		all <<= 8;
		if (i < size)
			all += bytes[i];
	}
	return all;
}

void base64_encode(const char *bytes, size_t size, char *out)
{
	while (size) {
		size_t count = size < 3 ? size : 3;
		union group group = {join(bytes, count)};
		*out++ = letters[group.six.a];
		*out++ = letters[group.six.b];
		*out++ = count > 1 ? letters[group.six.c] : '=';
		*out++ = count > 2 ? letters[group.six.d] : '=';
		bytes += count;
		size -= count;
	}
	*out = 0;
}

static int value_of(char letter)
{
	const char *place = letter ? strchr(letters, letter) : NULL;
	return place ? (int)(place - letters) : -1;
}

long base64_decode(const char *text, char *out)
{
	char *start = out;
	for (; *text; text += 4) {
		unsigned long all = 0;
		int count = 0;
		for (int i = 0; i < 4; i++) {
			int value = value_of(text[i]);
			all <<= 6;
			if (value >= 0) {
				all |= value;
				count++;
			} else if (text[i] != '=' || i < 2) {
				return -1;
			}
		}
		for (int i = 0; i < count - 1; i++)
			*out++ = all >> (16 - 8 * i) & 255;
	}
	return out - start;
}
