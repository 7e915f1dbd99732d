/*
 * The binary form of models: what `hence` writes into the control file from .model files, and what
 * the runtime reads in place. Position independent: offsets and indices only. The language itself
 * is described in docs/models.md.
 *
 *	struct outside_table
 *	u32 slots[slot_count]                 open hash: 1 + index of a function; 0: empty
 *	struct outside_function[functions]    one for each name (aliases share their clauses)
 *	struct outside_clause[clauses]
 *	struct outside_insn[insns]            expressions, postfix; insn 0 is OUTSIDE_END (value 0)
 *	char[text_size]                       names, terminated
 */
#ifndef HENCE_RUNTIME_OUTSIDE_TABLE_H
#define HENCE_RUNTIME_OUTSIDE_TABLE_H

#include <stdint.h>

#define OUTSIDE_MAGIC   "HENCEOUT"
#define OUTSIDE_VERSION 2u
#define OUTSIDE_PARAMS  16u     /* parameters that a model may name */
#define OUTSIDE_OLDS    8u      /* old(...) in one model */
#define OUTSIDE_STACK   16u     /* values that an expression may hold at once */
#define OUTSIDE_FORM    0xffffu /* `extra` of formats and scans: arguments follow, no va_list */

struct outside_table {
	char magic[8];
	uint32_t version;
	uint32_t size;              /* of the whole */
	uint32_t slots, slot_count; /* offset; a power of two */
	uint32_t functions, function_count;
	uint32_t clauses, clause_count;
	uint32_t insns, insn_count;
	uint32_t text, text_size;
};

enum outside_function_flag {
	OUTSIDE_NORETURN = 1, /* never comes back */
	OUTSIDE_PURE = 2,     /* only its result; which follows from arguments and what it reads */
	OUTSIDE_VARIES = 4,   /* the answer differs from run to run; replaced when repeating */
	OUTSIDE_TWICE = 8,    /* may return more than once: setjmp, vfork */
	OUTSIDE_STATIC = 16,  /* the result points to storage of the library */
	OUTSIDE_VARIADIC = 32,
	OUTSIDE_QUIET = 64,     /* leaves errno alone; so do pure ones */
	OUTSIDE_PREPARES = 128, /* the runtime has something to do before the call */
};

struct outside_function {
	uint32_t name;     /* in text */
	uint32_t identity; /* in text: what kind of thing the result names; 0: none */
	uint16_t flags;    /* enum outside_function_flag */
	uint16_t params;
	uint16_t clause_count;
	uint16_t active; /* so many of the first clauses ask the runtime for something */
	uint32_t clause; /* index of the first */
	uint16_t old_count;
	uint16_t old_active;         /* bit k: the runtime needs old value k */
	uint32_t olds[OUTSIDE_OLDS]; /* expressions for before the call */
};

enum outside_clause_kind {
	/* These ask the runtime for something. */
	OUTSIDE_WRITES,
	OUTSIDE_PERMUTES,  /* extra: size of an element */
	OUTSIDE_FORMATS,   /* at: the format; extra: the va_list's parameter or OUTSIDE_FORM */
	OUTSIDE_SCANS,     /* the same; with a stream, or a source row */
	OUTSIDE_CONSUMES,  /* stream, region; count; extra: offset for pread, or 0 */
	OUTSIDE_PRODUCES,  /* stream, region or only its length */
	OUTSIDE_MOVES,     /* stream: its position is set anew */
	OUTSIDE_ALLOCATES, /* region */
	OUTSIDE_FREES,     /* at */
	OUTSIDE_OPENS,     /* stream; at: its name or 0; extra: descriptor that it copies or 0 */
	OUTSIDE_CLOSES,    /* stream */
	OUTSIDE_FLUSHES,   /* stream; a FILE of 0: all of them */
	OUTSIDE_KEEPS, /* stream; region, or at, to, extra: pointer, length, size of an element */
	OUTSIDE_TEXT,  /* at: a string, taken before the call */
	OUTSIDE_ACTIVE_KINDS,
	/* These tell the decoder what depends on what. */
	OUTSIDE_READS = OUTSIDE_ACTIVE_KINDS,
	OUTSIDE_COPIES,       /* region; a source row follows */
	OUTSIDE_FILLS,        /* region; extra: the byte */
	OUTSIDE_RETURNS,      /* at: the result equals this */
	OUTSIDE_RETURNS_INTO, /* at: the result points into the same object */
	OUTSIDE_CALLS,        /* argument: the callback; flags; arguments are source rows */
	OUTSIDE_LENDS,        /* region: the library changes it in later calls */
	OUTSIDE_SOURCE,       /* belongs to the clause before */
	OUTSIDE_CLAUSE_KINDS,
};

enum outside_region {
	OUTSIDE_NOWHERE,
	OUTSIDE_BYTES,   /* at + from up to at + to */
	OUTSIDE_STRING,  /* from at to the terminating 0, which is included */
	OUTSIDE_WSTRING, /* the same for wchar_t */
	OUTSIDE_VECTORS, /* at: iovec, from: how many, to: bytes of them in all */
	OUTSIDE_FLAGS,   /* at: struct option[]; the int behind each flag. Only of OUTSIDE_WRITES */
	OUTSIDE_RESULT,  /* the result itself */
	OUTSIDE_VALUE,   /* at: only a value (argument of a callback) */
	OUTSIDE_REGIONS,
};

enum outside_stream {
	OUTSIDE_NO_STREAM,
	OUTSIDE_FILE, /* the expression gives a FILE * */
	OUTSIDE_FD,
	OUTSIDE_ENVIRONMENT,
	OUTSIDE_STREAMS,
};

enum outside_clause_flag {
	OUTSIDE_ZEROED = 1,    /* allocates */
	OUTSIDE_LATER = 2,     /* calls: after this call has returned */
	OUTSIDE_ELSEWHERE = 4, /* calls: on another thread */
};

struct outside_clause {
	uint8_t kind;   /* enum outside_clause_kind */
	uint8_t region; /* enum outside_region */
	uint8_t stream_kind;
	uint8_t flags;     /* enum outside_clause_flag */
	uint16_t argument; /* 1 + index of the parameter that it is about; 0: the result or none */
	uint16_t sources;  /* so many rows of kind OUTSIDE_SOURCE follow */
	/* Expressions: index of the first insn. 0 has the value 0; for `when` it means always. */
	uint32_t when, stream, at, from, to, extra;
	uint32_t count; /* consumes: bytes taken; 0: as many as the region has */
};

enum outside_op {
	OUTSIDE_END,
	OUTSIDE_CONST,
	OUTSIDE_ARG,
	OUTSIDE_RET,
	OUTSIDE_CONSUMED, /* bytes that this call took from its stream */
	OUTSIDE_ERRORLEN, /* length of strerror(errno), errno as before the call */
	OUTSIDE_OLD,
	OUTSIDE_GLOBAL,                /* address of a variable of libc: enum outside_global */
	OUTSIDE_PUSHES,                /* all before this push a value */
	OUTSIDE_LOAD = OUTSIDE_PUSHES, /* value: 1, 2, 4 (sign extended) or 8 bytes */
	OUTSIDE_NOT,
	OUTSIDE_NEGATE,
	OUTSIDE_STRLEN,
	OUTSIDE_WCSLEN,
	OUTSIDE_SIZE,    /* of the heap object that begins there; 0: none known */
	OUTSIDE_UNARIES, /* all before this replace one value */
	OUTSIDE_STRNLEN = OUTSIDE_UNARIES,
	OUTSIDE_ADD,
	OUTSIDE_SUB,
	OUTSIDE_MUL,
	OUTSIDE_MIN, /* unsigned, as lengths are */
	OUTSIDE_MAX,
	OUTSIDE_EQ,
	OUTSIDE_NE,
	OUTSIDE_LT,
	OUTSIDE_LE,
	OUTSIDE_GT,
	OUTSIDE_GE,
	OUTSIDE_AND,
	OUTSIDE_OR,
	OUTSIDE_OPS,
};

struct outside_insn {
	uint32_t op;
	int32_t value;
};

/* Variables of libc that models may name with &. */
enum outside_global {
	OUTSIDE_STDIN,
	OUTSIDE_STDOUT,
	OUTSIDE_STDERR,
	OUTSIDE_OPTARG,
	OUTSIDE_OPTIND,
	OUTSIDE_OPTERR,
	OUTSIDE_OPTOPT,
	OUTSIDE_ENVIRON,
	OUTSIDE_TIMEZONE,
	OUTSIDE_DAYLIGHT,
	OUTSIDE_TZNAME,
	/* Pointers to the tables behind isalpha(), tolower() and toupper(). */
	OUTSIDE_CTYPE,
	OUTSIDE_CTYPE_LOWER,
	OUTSIDE_CTYPE_UPPER,
	OUTSIDE_GLOBALS,
};

/* The hash of names, the same on both sides (FNV-1a). */
static inline uint32_t outside_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 16777619u;
	return hash;
}

#endif
