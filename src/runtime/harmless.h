/*
 * Functions that a program may call before it waits as a server (server.c), or before a snapshot is
 * taken of it (experiment/point.c). Each of them, called before a fork, leaves the child as if
 * it had called it itself:
 *	- it reads no input, leaves no file open, looks at no state of a file; it may write
 *	- it starts no process, thread or timer, maps no file
 *	- its answer is the same at any time and in any process: no clocks, no process ids
 * A name that is not here costs nothing but an earlier wait. The environment may be read: when that
 * varies, the program waits at the start of main.
 */
#ifndef HENCE_RUNTIME_HARMLESS_H
#define HENCE_RUNTIME_HARMLESS_H

#include <string.h>

/* clang-format off */
static const char hence_harmless[] =
	/* memory */
	" malloc calloc realloc reallocarray free cfree memalign aligned_alloc posix_memalign valloc"
	" malloc_usable_size mallopt malloc_trim alloca sbrk brk"
	/* strings */
	" memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset rawmemchr bcmp bcopy bzero"
	" explicit_bzero stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp"
	" strcoll strcpy strcspn strdup strerror strerror_r strlcat strlcpy strlen strncasecmp strncat"
	" strncmp strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtok strtok_r"
	" strverscmp strxfrm swab basename __xpg_basename dirname __strtok_r __strdup __strndup"
	" wcscat wcschr wcscmp wcscpy wcslen wcsncat wcsncmp wcsncpy wcsnlen wcsrchr wcsstr wcstok wmemchr"
	" wmemcmp wmemcpy wmemmove wmemset wcsdup wcscoll"
	" mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc wcrtomb wcsrtombs wcstombs wctomb btowc"
	" wctob mbsnrtowcs wcsnrtombs __ctype_get_mb_cur_max"
	/* the same, fortified */
	" __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk __strcpy_chk __strncpy_chk __strcat_chk"
	" __strncat_chk __stpcpy_chk __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk"
	" __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __asprintf_chk __vasprintf_chk"
	/* characters */
	" isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper"
	" isxdigit toascii tolower toupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph"
	" iswlower iswprint iswpunct iswspace iswupper iswxdigit towlower towupper wctype wcwidth wcswidth"
	" __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc"
	/* numbers */
	" abs labs llabs imaxabs div ldiv lldiv atof atoi atol atoll strtod strtof strtold strtol strtoll"
	" strtoul strtoull strtoimax strtoumax __isoc23_strtol __isoc23_strtoll __isoc23_strtoul"
	" __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax __strtol_internal"
	" sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf"
	" rand srand rand_r random srandom initstate setstate drand48 erand48 lrand48 nrand48 mrand48"
	" jrand48 srand48 seed48 lcong48 ffs ffsl ffsll bsearch qsort qsort_r lfind lsearch"
	" tsearch tfind tdelete twalk tdestroy hcreate hsearch hdestroy insque remque"
	" htonl htons ntohl ntohs inet_addr inet_aton inet_ntoa inet_ntop inet_pton"
	/* mathematics */
	" acos acosf acosh acosl asin asinf asinh asinl atan atan2 atan2f atan2l atanf atanh atanl cbrt cbrtf"
	" ceil ceilf ceill copysign copysignf cos cosf cosh coshf cosl erf erfc exp exp2 exp2f expf expl expm1"
	" fabs fabsf fabsl fdim floor floorf floorl fma fmaf fmax fmaxf fmin fminf fmod fmodf fmodl frexp"
	" frexpf frexpl hypot hypotf ilogb isfinite isinf isnan finite ldexp ldexpf ldexpl lgamma llrint"
	" llround log10 log10f log10l log1p log2 log2f logb logf logl lrint lround modf modff modfl nan"
	" nearbyint nextafter pow powf powl remainder remquo rint rintf round roundf roundl scalbln scalbn sin"
	" sincos sinf sinh sinhf sinl sqrt sqrtf sqrtl tan tanf tanh tanhf tanl tgamma trunc truncf truncl"
	" fegetround fesetround fegetenv fesetenv feclearexcept fetestexcept feraiseexcept"
	/* writing: there are only the standard streams so far */
	" printf fprintf vprintf vfprintf sprintf snprintf vsprintf vsnprintf asprintf vasprintf puts fputs"
	" putc fputc putchar putc_unlocked putchar_unlocked fputs_unlocked fputc_unlocked fwrite"
	" fwrite_unlocked _IO_putc __overflow perror write fflush fflush_unlocked setbuf setbuffer"
	" setlinebuf setvbuf fileno fileno_unlocked isatty ferror feof clearerr ferror_unlocked"
	" feof_unlocked flockfile funlockfile ftrylockfile fwide open_memstream psignal"
	" fputws fputwc putwc putwchar wprintf fwprintf swprintf vwprintf vfwprintf vswprintf"
	/* options, language, environment */
	" getopt getopt_long getopt_long_only getsubopt getenv secure_getenv setenv putenv unsetenv clearenv"
	" setlocale localeconv nl_langinfo newlocale uselocale freelocale duplocale gettext ngettext dgettext"
	" dngettext dcgettext dcngettext textdomain bindtextdomain bind_textdomain_codeset"
	/* the process: what a child inherits */
	" atexit on_exit __cxa_atexit at_quick_exit signal sigaction bsd_signal sysv_signal __sysv_signal"
	" sigemptyset sigfillset sigaddset sigdelset sigismember sigprocmask pthread_sigmask siginterrupt"
	" setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk"
	" sleep usleep nanosleep sched_yield umask getuid geteuid getgid getegid getpagesize sysconf"
	" getrlimit getrlimit64 gnu_get_libc_version __errno_location"
	" pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock"
	" pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy"
	" pthread_cond_init pthread_cond_destroy pthread_once pthread_key_create pthread_getspecific"
	" pthread_setspecific pthread_attr_init pthread_attr_destroy"
	" ";
/* clang-format on */

/* Is the name in such a list, with a space on each side? */
static inline int hence_is_listed(const char *list, const char *name)
{
	unsigned long length = name ? strlen(name) : 0;

	for (const char *at = list; length && *at; at++)
		if (*at == ' ' && !strncmp(at + 1, name, length) && at[1 + length] == ' ')
			return 1;
	return 0;
}

#endif
