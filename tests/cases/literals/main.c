/* Literals: strings with odd bytes, joined, wide, UTF-8/16/32, in arrays; character constants;
 * numbers. */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static const char odd[] = "nul\0inside\x01\x7f\x80\xff\377\a\b\f\v\\\"\?";
static const char not_terminated[3] = "abc";
static const char room[8] = "ab";
static const wchar_t wide[] = L"w\u00efde \x1234 \U0001F600";
static const char16_t utf16[] = u"\u20ac\U00010437";
static const char32_t utf32[] = U"\U0001F600x";
static const char utf8[] = u8"gr\u00fc\u00df dich \u20ac";
static const char *const table[] = {"",
                                    "a",
                                    "joined"
                                    " from "
                                    "parts",
                                    "same",
                                    "same",
                                    &__FILE__[sizeof(__FILE__) - 2]};

static unsigned hash(const void *data, size_t n)
{
	const unsigned char *p = data;
	unsigned h = 5381;

	while (n--)
		h = h * 33 + *p++;
	return h;
}

static void wide_functions(void)
{
	wchar_t buffer[64], *end;
	char narrow[64];
	mbstate_t state;
	const char *source = utf8;
	size_t n;

	wcscpy(buffer, L"hello");
	wcscat(buffer, L" world");
	printf("%zu %d %ld\n", wcslen(buffer), wcscmp(buffer, L"hello") > 0,
	       (long)(wcschr(buffer, L'w') - buffer));
	swprintf(buffer, 64, L"%d-%ls-%.2f", 42, L"wide", 2.5);
	printf("%ls %ld\n", buffer, wcstol(L"99x", &end, 10));
	printf("%lc %d\n", (wint_t)*end, !!iswalpha((wint_t)*end));
	memset(&state, 0, sizeof(state));
	n = mbsrtowcs(buffer, &source, 64, &state);
	printf("%zd %u\n", (ssize_t)n, n == (size_t)-1 ? 0 : hash(buffer, n * sizeof(wchar_t)));
	n = wcstombs(narrow, wide, sizeof(narrow));
	printf("%zd\n", (ssize_t)n);
	printf("%u\n", (unsigned)towupper(L'q'));
}

static void numbers(void)
{
	printf("%d %d %u %llu\n", 0x7fffffff, 0777, 4000000000u, 0xffffffffffffffffULL);
	printf("%d %g %a %d\n", 0b1011, 1e-5, 0x1.8p3, 'a' * 256 + 'b');
	printf("%d %d %d\n", '\n', '\xff', (unsigned char)'\xff');
	printf("%zu %zu %zu\n", sizeof('a'), sizeof(L'a'), sizeof("four"));
}

int main(void)
{
	char *writable = (char[]){"changed"};

	printf("%zu %u\n", sizeof(odd), hash(odd, sizeof(odd)));
	printf("%.3s %u\n", not_terminated, hash(room, sizeof(room)));
	printf("%zu %u %u %u %u\n", sizeof(wide), hash(wide, sizeof(wide)),
	       hash(utf16, sizeof(utf16)), hash(utf32, sizeof(utf32)), hash(utf8, sizeof(utf8)));
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		printf("[%s] %zu\n", table[i], strlen(table[i]));
	fwrite(odd, 1, sizeof(odd), stdout);
	writable[0] = 'C';
	printf("\n%s %s\n", writable, __func__);
	printf("%s\n", setlocale(LC_ALL, "C"));
	wide_functions();
	printf("%s\n", setlocale(LC_ALL, "C.UTF-8") ? "utf-8" : "none");
	wide_functions();
	printf("%s %s\n", localeconv()->decimal_point, setlocale(LC_NUMERIC, NULL));
	numbers();
	return 0;
}
