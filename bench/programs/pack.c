/*
 * Benchmark: a compressor. Generated text is compressed with LZ77 (hash chains) and Huffman codes,
 * expanded again and compared. One round is about a million executed IR instructions at -O0. Usage:
 * pack ROUNDS; prints sizes and a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK     1100 /* bytes of a round */
#define WINDOW    8192 /* bytes that matches may lie in: a power of two, more than 2 blocks */
#define MIN_MATCH 3
#define MAX_MATCH 34
#define CHAIN     12  /* candidates that are looked at */
#define SYMBOLS   288 /* 256 literals and 32 match lengths */
#define MAX_BITS  15

struct token {
	uint16_t symbol;   /* a literal, or 256 + length - MIN_MATCH */
	uint16_t distance; /* of a match */
};

struct matcher {
	uint8_t window[WINDOW];
	uint32_t end;         /* bytes seen in all */
	int32_t head[4096];   /* newest position of each hash; -1: none */
	int32_t link[WINDOW]; /* the one before */
};

struct bits {
	uint8_t data[BLOCK * 4];
	uint32_t size, at;
	uint32_t hold, count;
};

struct code {
	uint8_t length[SYMBOLS];
	uint16_t word[SYMBOLS];
};

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

/* Text of words that repeat, as text does. */
static void generate(uint8_t *text)
{
	static const char *const words[] = {
		"the ",  "of ",   "compressor ", "and ",  "table ", "bits ",
		"a ",    "to ",   "window ",     "is ",   "found ", "match ",
		"code ", "long ", "shorter ",    "than ", "it ",    "was "};
	uint32_t n = 0;

	while (n < BLOCK) {
		const char *w = words[random_below(18)];

		while (*w && n < BLOCK)
			text[n++] = (uint8_t)*w++;
		if (n < BLOCK && random_below(6) == 0)
			text[n++] = (uint8_t)('0' + random_below(10));
	}
}

static uint32_t hash3(const struct matcher *m, uint32_t at)
{
	uint32_t h = m->window[at % WINDOW] | (uint32_t)m->window[(at + 1) % WINDOW] << 8 |
	             (uint32_t)m->window[(at + 2) % WINDOW] << 16;

	return h * 2654435761u >> 20;
}

static uint32_t match_length(const struct matcher *m, uint32_t a, uint32_t b, uint32_t limit)
{
	uint32_t n = 0;

	while (n < limit && m->window[(a + n) % WINDOW] == m->window[(b + n) % WINDOW])
		n++;
	return n;
}

static uint32_t find_match(const struct matcher *m, uint32_t at, uint32_t limit, uint32_t *distance)
{
	uint32_t best = 0;
	int32_t from;

	if (limit < MIN_MATCH)
		return 0;
	if (limit > MAX_MATCH)
		limit = MAX_MATCH;
	from = m->head[hash3(m, at)];
	for (int tries = 0; tries < CHAIN && from >= 0 && at - (uint32_t)from < WINDOW - BLOCK;
	     tries++) {
		uint32_t n = match_length(m, (uint32_t)from, at, limit);

		if (n > best) {
			best = n;
			*distance = at - (uint32_t)from;
		}
		from = m->link[(uint32_t)from % WINDOW];
	}
	return best >= MIN_MATCH ? best : 0;
}

static void insert(struct matcher *m, uint32_t at)
{
	uint32_t h = hash3(m, at);

	m->link[at % WINDOW] = m->head[h];
	m->head[h] = (int32_t)at;
}

static uint32_t find_tokens(struct matcher *m, const uint8_t *text, struct token *tokens)
{
	uint32_t at = m->end, end = at + BLOCK, count = 0;

	for (uint32_t i = 0; i < BLOCK; i++)
		m->window[(at + i) % WINDOW] = text[i];
	while (at < end) {
		uint32_t distance = 0, n = find_match(m, at, end - at, &distance);

		if (n) {
			tokens[count++] =
				(struct token){(uint16_t)(256 + n - MIN_MATCH), (uint16_t)distance};
		} else {
			tokens[count++] = (struct token){m->window[at % WINDOW], 0};
			n = 1;
		}
		for (; n > 0; n--, at++)
			if (at + 2 < end)
				insert(m, at);
	}
	m->end = end;
	return count;
}

/* Huffman code lengths by repeated merging of the two lightest trees; the used symbols are few. */
static uint32_t code_lengths(const uint32_t *weight, struct code *code)
{
	uint32_t parent[SYMBOLS * 2], heavy[SYMBOLS * 2], live[SYMBOLS], symbol[SYMBOLS];
	uint32_t leaves = 0, trees, nodes, longest = 0;

	for (uint32_t i = 0; i < SYMBOLS; i++) {
		code->length[i] = 0;
		if (weight[i]) {
			symbol[leaves] = i;
			live[leaves] = leaves;
			heavy[leaves++] = weight[i];
		}
	}
	for (trees = nodes = leaves; trees > 1; trees--) {
		for (int pick = 0; pick < 2; pick++) {
			uint32_t light = 0, end = trees - (uint32_t)pick;

			for (uint32_t i = 1; i < end; i++)
				if (heavy[live[i]] < heavy[live[light]])
					light = i;
			parent[live[light]] = nodes;
			heavy[nodes] =
				pick ? heavy[nodes] + heavy[live[light]] : heavy[live[light]];
			live[light] = live[end - 1];
		}
		live[trees - 2] = nodes++;
	}
	for (uint32_t i = 0; i < leaves; i++) {
		uint32_t length = 0;

		for (uint32_t n = i; n != nodes - 1; n = parent[n])
			length++;
		code->length[symbol[i]] = (uint8_t)(length ? length : 1);
		if (length > longest)
			longest = length;
	}
	return longest;
}

static void make_code(uint32_t *weight, struct code *code)
{
	uint32_t next = 0;

	while (code_lengths(weight, code) > MAX_BITS)
		for (uint32_t i = 0; i < SYMBOLS; i++)
			weight[i] = (weight[i] + 1) / 2;
	for (uint32_t length = 1; length <= MAX_BITS; length++, next <<= 1)
		for (uint32_t i = 0; i < SYMBOLS; i++)
			if (code->length[i] == length)
				code->word[i] = (uint16_t)next++;
}

static void put_bits(struct bits *b, uint32_t value, uint32_t n)
{
	b->hold = b->hold << n | value;
	b->count += n;
	while (b->count >= 8) {
		b->count -= 8;
		b->data[b->size++] = (uint8_t)(b->hold >> b->count);
	}
}

static uint32_t get_bit(struct bits *b)
{
	uint32_t bit = b->data[b->at >> 3] >> (7 - (b->at & 7)) & 1;

	b->at++;
	return bit;
}

static uint32_t get_bits(struct bits *b, uint32_t n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 1 | get_bit(b);
	return v;
}

static void encode(const struct token *tokens, uint32_t count, const struct code *code,
                   struct bits *b)
{
	b->size = b->hold = b->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = tokens[i].symbol;

		put_bits(b, code->word[s], code->length[s]);
		if (s >= 256)
			put_bits(b, tokens[i].distance, 13);
	}
	put_bits(b, 0, 7);
}

/* Canonical decoding: symbols in the order of their codes, first code and index for each length. */
static void decode(struct bits *b, const struct code *code, uint8_t *out, uint32_t *out_at)
{
	uint16_t order[SYMBOLS];
	uint32_t first[MAX_BITS + 2], index[MAX_BITS + 2], count[MAX_BITS + 2],
		n = 0, end = *out_at + BLOCK;

	for (uint32_t length = 1, next = 0; length <= MAX_BITS; length++, next <<= 1) {
		first[length] = next;
		index[length] = n;
		for (uint32_t i = 0; i < SYMBOLS; i++)
			if (code->length[i] == length)
				order[n++] = (uint16_t)i;
		count[length] = n - index[length];
		next += count[length];
	}
	b->at = 0;
	while (*out_at < end) {
		uint32_t word = get_bit(b), length = 1, s;

		while (word - first[length] >= count[length]) {
			word = word << 1 | get_bit(b);
			length++;
		}
		s = order[index[length] + word - first[length]];
		if (s < 256) {
			out[(*out_at)++ % WINDOW] = (uint8_t)s;
		} else {
			uint32_t distance = get_bits(b, 13);

			for (uint32_t left = s - 256 + MIN_MATCH; left > 0; left--, ++*out_at)
				out[*out_at % WINDOW] = out[(*out_at - distance) % WINDOW];
		}
	}
}

static uint32_t checksum(uint32_t sum, const uint8_t *data, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sum = (sum << 5 | sum >> 27) ^ data[i];
	return sum;
}

int main(int argc, char **argv)
{
	static struct matcher m;
	static struct bits b;
	static struct token tokens[BLOCK];
	static uint8_t text[BLOCK], out[WINDOW];
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	uint64_t packed = 0, bytes = 0;
	uint32_t sum = 1, out_at = 0;

	memset(m.head, 0xff, sizeof(m.head));
	for (long r = 0; r < rounds; r++) {
		uint32_t weight[SYMBOLS] = {0}, count;
		struct code code;

		generate(text);
		count = find_tokens(&m, text, tokens);
		for (uint32_t i = 0; i < count; i++)
			weight[tokens[i].symbol]++;
		make_code(weight, &code);
		encode(tokens, count, &code, &b);
		decode(&b, &code, out, &out_at);
		for (uint32_t i = 0; i < BLOCK; i++)
			if (text[i] != out[(out_at - BLOCK + i) % WINDOW]) {
				fprintf(stderr, "pack: round %ld, byte %u differs\n", r, i);
				return 1;
			}
		packed += b.size;
		bytes += BLOCK;
		sum = checksum(sum, b.data, b.size);
	}
	printf("pack %llu bytes to %llu, checksum %08x\n", (unsigned long long)bytes,
	       (unsigned long long)packed, sum);
	return 0;
}
