/*
 * The whole contract between a program built with hence cc and hence itself: the session directory,
 * the tape, and the tables that hence cc leaves in each object. Both sides compile this one header;
 * HENCE_PROTOCOL changes with it, and a mismatch is a message, not a crash.
 *
 * SESSION. The environment variable HENCE_SESSION names a directory. In it:
 *	control     struct hence_control, then the table of outside functions (outside_table.h)
 *	N.tape      one for each instrumented process, N counting up from 0 (eight digits)
 *	N.varies    its answers of functions that vary from run to run (runtime/varies.c)
 * No variable, no recording: the hooks then write in circles into a small buffer of their own.
 *
 * SERVER. The environment variable HENCE_SERVER is the number of a descriptor: a file in memory
 * that begins with a struct hence_server. The runtime maps it, closes the descriptor and removes
 * the variable. The program then runs to the place that `wait` names, says so with a SIGSTOP to
 * itself, which its tracer keeps from it, and sleeps on `order`. For each order to go on it
 * forks a child of its own parent, traced like itself, that goes on from there with the
 * arguments and environment in the file. Standard streams are those that the program was started
 * with; hence, which gives the orders, rewinds them.
 *
 * EXPERIMENTS. With HENCE_WAIT_START the program waits before any code of its own. An order may then
 * tell a child to run to a point and to wait there for orders in its turn, as a snapshot, or to change
 * something at points on its way (runtime/orders.h). HENCE_SESSION names the session of the recorded
 * run, which is only read: answers that vary are taken from there.
 *
 * TAPE. A file that the program maps shared, so that whatever happens to the program, what it wrote
 * is there. The first page is a struct hence_head; the program maps that page over its own variable
 * hence_rt_head, so even the write position survives SIGKILL. From byte HENCE_STREAM on comes the
 * stream: little endian, unaligned, without padding. Most of it has no tags: the reader walks the
 * program's IR beside it (model/plan.h says what each instruction writes) and so knows what comes:
 *
 *	conditional branch   u8   2 or 1: taken or not
 *	switch               u8 / u16 / u32 / u64, see struct plan_switch
 *	indirectbr           u32  low half of the target's address
 *	load, atomic         the value, in its store size, unless from a private local; of a pointer
 *	                     or i64 the low half, of a double the high half: the reader keeps the
 *	                     program's memory, and half a value shows whether it is right
 *	alloca (dynamic)     u64  address
 *	va_start             the 24 bytes of the va_list
 *	inline asm           its result, then what it wrote through indirect outputs
 *	call, instrumented   (indirect call: u32 low half of the target), then the callee's
 *	                     u32 low half of its frame's address, then the callee's own records
 *	call, outside        HENCE_CALL ... HENCE_RETURN
 *
 * THE END of the stream is at hence_head.cur when outside code runs. Instrumented code writes that
 * word only before calls and returns; in between, the reader goes on until it meets a branch that
 * is 0, since unwritten parts of the file are, and no written branch is.
 *
 * While outside code runs (before main, in a call into an uninstrumented library) the stream is
 * tagged. Each record there begins with a u32 tag and a u32 size of what follows them:
 *
 *	HENCE_MODULE   struct hence_module_record and its addresses; an object was loaded
 *	HENCE_ENTER    struct hence_enter_record, then the arguments as stored by the signature;
 *	               then the function's own records, untagged, up to its
 *	HENCE_LEAVE    the result
 *	HENCE_CALL     struct hence_call_record, then a list of struct hence_effect: what must be
 *	               known before the call
 *	HENCE_RETURN   the result, in its store size (none when that is over HENCE_RESULT), then a
 *	               list of struct hence_effect: what the call did
 *	HENCE_RESUME   struct hence_resume_record: control came (back) into that frame from that
 *	               call (setjmp, vfork); younger frames are gone. Its HENCE_RETURN follows.
 *	HENCE_SIGNAL   u32 signal number; a handler runs now: HENCE_ENTER ... HENCE_LEAVE follows
 *	HENCE_SIGNALED the handler returned
 *	HENCE_GIVEN    a list of struct hence_effect, all HENCE_WROTE: argv and environ (the arrays and
 *	               their strings), and variables of libc that programs read without a call. If models can name such a
 *	               one, `argument` is 1 + its enum outside_global. The first record of a
 *	               program; a forked child does not write it again
 */
#ifndef HENCE_RUNTIME_PROTOCOL_H
#define HENCE_RUNTIME_PROTOCOL_H

#include <stdint.h>

#define HENCE_PROTOCOL    7
#define HENCE_SESSION_ENV "HENCE_SESSION"
#define HENCE_SERVER_ENV  "HENCE_SERVER"
#define HENCE_TAPE_MAGIC  "HENCETAP"
#define HENCE_CTL_MAGIC   "HENCECTL"
#define HENCE_SRV_MAGIC   "HENCESRV"
#define HENCE_STREAM      4096u  /* where the stream begins in the file */
#define HENCE_SLACK       65536u /* bytes that may be written between two checks of the space */
#define HENCE_UNFINISHED  0xffffffffu /* size of a tagged record that is being written */
#define HENCE_RESULT      64u /* bytes: larger results of outside calls are not on the tape */

/* Names of ELF sections in objects made by hence cc. */
#define HENCE_IR_SECTION      ".hence.ir" /* not loaded: struct hence_ir_header + zstd bitcode */
#define HENCE_MODULES_SECTION "hence_modules" /* loaded: one pointer to a hence_rt_module each */

enum hence_tag {
	HENCE_MODULE = 0xfe5e0001u,
	HENCE_ENTER,
	HENCE_LEAVE,
	HENCE_CALL,
	HENCE_RETURN,
	HENCE_RESUME,
	HENCE_SIGNAL,
	HENCE_SIGNALED,
	HENCE_GIVEN,
};

enum hence_tape_state {
	HENCE_OFF,       /* not recording (never in a file) */
	HENCE_RECORDING, /* also what a killed program leaves */
	HENCE_ENDED,     /* the program ran its exit handlers */
	HENCE_FULL,      /* no room for more; the program went on without recording */
	HENCE_THREADS,   /* a second thread entered instrumented code; recording stopped there */
	HENCE_CONTEXTS,  /* makecontext/swapcontext; recording stopped there */
	HENCE_NESTED,    /* a handler interrupted another one's instrumented code; stopped there */
};

/* The first page of a tape, and in the program the variable hence_rt_head. The first three words
   are what the hooks touch. */
struct hence_head {
	uint8_t *cur;      /* where the next byte goes */
	uint8_t *end;      /* a check fails when cur > end; 0 while outside code runs */
	uint64_t outframe; /* frame of the innermost function that was entered from outside */
	char magic[8];
	uint32_t protocol;
	uint32_t state;     /* enum hence_tape_state */
	uint8_t *base;      /* address in the program of the first byte of the file */
	uint64_t limit;     /* size that the stream may grow to */
	uint64_t populated; /* size of the file that has memory */
	int32_t pid;
	int32_t parent_pid;
	uint32_t number;     /* of this tape */
	uint32_t parent;     /* tape of the process that forked this one; own number if none */
	uint64_t parent_at;  /* position in the parent's file at the fork */
	uint64_t stack_base; /* address of a frame early in the program */
	uint64_t argv;       /* address of main's argv and environ as the program was started */
	uint64_t environ;
	uint32_t argc;
	uint32_t unmodelled; /* calls of functions that no model describes */
	uint64_t outside;    /* calls into outside code */
	/* Handlers that interrupted instrumented code write to a stream of their own, since the
	   interrupted block's records are not complete: struct hence_side_record, then HENCE_ENTER
	   ... HENCE_LEAVE. The reader runs it when it stands at its position in the main stream. */
	uint64_t side_offset; /* position in the file; 0: none */
	uint64_t side_size;
	char program[1024]; /* path of the executable, terminated */
	uint64_t patched;   /* statement whose branch was made to go another way; 0: none */
};

/* Head of the control file. */
struct hence_control {
	char magic[8];
	uint32_t protocol;
	uint32_t tapes;        /* counted up by each process that starts one */
	uint64_t tape_limit;   /* bytes of stream that one tape may hold */
	int64_t budget;        /* bytes that all tapes together may still take */
	uint64_t table_offset; /* the table of outside functions; 0: none */
	uint64_t table_size;
	uint32_t repeat;  /* 1: answers of functions that vary come from N.varies */
	uint32_t refused; /* processes whose protocol was another; counted by the runtime */
	uint32_t failed;  /* processes that could not make their tape */
	uint32_t reserved;
};

/* --- the server --- */

#define HENCE_SERVER_WORDS 4096u      /* where arguments and environment begin in the file */
#define HENCE_SERVER_ROOM  (8u << 20) /* bytes for them; the file is that much longer */

/* Where to wait. */
enum hence_wait {
	HENCE_WAIT_NEVER, /* only count */
	HENCE_WAIT_MAIN,  /* at the start of main, before it sees its arguments */
	HENCE_WAIT_INPUT, /* before the first call, from main on, that may read or open something */
	HENCE_WAIT_START, /* for experiments: before any code of its own */
	HENCE_WAIT_PATCHED, /* never, but the branch that the orders name goes another way */
};

/* What the program says. */
enum hence_server_state {
	HENCE_SERVER_NEW,     /* nothing: it does not know of servers, or did not start up yet */
	HENCE_SERVER_STARTED, /* on its way */
	HENCE_SERVER_WAITING,
	HENCE_SERVER_EARLY,  /* code of its own that may have seen its input ran before main */
	HENCE_SERVER_FAILED, /* fork failed */
};

/* What hence wants. */
enum hence_command {
	HENCE_COMMAND_NONE,
	HENCE_COMMAND_RUN,        /* fork a child that goes on to its end */
	HENCE_COMMAND_EXPERIMENT, /* fork a child that does what the orders say */
	HENCE_COMMAND_SNAPSHOT, /* fork a child that runs to the first stop of the orders and waits
	                             there as number `snapshot` */
};

#define HENCE_SNAPSHOTS   64u /* processes that wait; number 0 is the program that was started */
#define HENCE_ORDERS      (HENCE_SERVER_WORDS + HENCE_SERVER_ROOM) /* where orders begin in the file */
#define HENCE_ORDERS_ROOM (256u << 20) /* the file is that much longer when experiments are made, */
#define HENCE_RAILS       (HENCE_ORDERS + HENCE_ORDERS_ROOM) /* and has rails behind the orders */
#define HENCE_RAILS_ROOM  (256u << 20)

/*
 * Work is counted in bytes that the hooks write, as they would to a tape; it grows with the executed
 * statements and is the same whenever the same is executed. It is looked at each time the hooks
 * begin their buffer anew, so it is exact to some 16 KB.
 */
struct hence_server {
	char magic[8]; /* HENCE_SRV_MAGIC */
	uint32_t protocol;
	uint32_t wait;    /* enum hence_wait */
	uint32_t state;   /* enum hence_server_state */
	uint32_t command; /* enum hence_command */
	uint64_t limit;   /* of work: a child that does more ends itself; 0: none */
	uint64_t work;    /* of the child so far */
	int32_t child;    /* the last one that was forked */
	uint32_t cut;     /* 1: it ended itself because of the limit */
	/* HENCE_WAIT_MAIN: from HENCE_SERVER_WORDS on lie the arguments and then the environment,
	   each terminated. */
	uint32_t argc, envc;
	uint64_t words;                  /* bytes of them */
	uint32_t tape;                   /* HENCE_WAIT_START: the tape of the recorded run */
	uint32_t snapshot;               /* number for the next one */
	uint32_t order[HENCE_SNAPSHOTS]; /* one for each that waits; counted up with each command; a
	                                    futex */
	/* Edits of the code (edit_image.h): the file that has them, and which one is in force in the
	   next child, or from the start on in a program that does not wait. */
	char image[1024]; /* path; empty: none */
	uint32_t edit;    /* 0: none; HENCE_EDIT_SCOUT: see there */
	uint32_t edits;   /* answer: parts of the image that were loaded; HENCE_EDITS_FAILED */
};

#define HENCE_EDITS_FAILED 0xffffffffu

/* In front of each IR blob in HENCE_IR_SECTION; blobs follow each other, aligned to 8. */
struct hence_ir_header {
	char magic[8]; /* HENCE_IR_MAGIC */
	uint32_t protocol;
	uint32_t llvm;    /* major version that wrote the bitcode */
	uint8_t hash[16]; /* names the blob: equal to hence_rt_module.hash */
	uint64_t size;    /* of the compressed bitcode that follows */
	uint64_t plain_size;
};
#define HENCE_IR_MAGIC "HENCE_IR"

/* An external function that a module calls; in the program's data. */
struct hence_rt_import {
	const char *name; /* NULL in an indirect call's cache */
	const void *address;
	uint16_t state;   /* enum hence_import_state */
	uint16_t special; /* 1: the runtime looks at the name at each call */
	uint32_t model;   /* 1 + index in the table of outside functions; 0: none */
};

enum hence_import_state {
	HENCE_UNKNOWN, /* not called yet */
	HENCE_INSTRUMENTED,
	HENCE_OUTSIDE,
};

/* One way to call an import. `signature` has a letter for the result and one for each argument:
   v void, b i8, s i16, i i32, l i64, q i128, p pointer, f float, d double, e long double,
   S a structure by value (argument: as a pointer to it) or any other type. */
struct hence_rt_site {
	struct hence_rt_import *import;
	const char *signature;
	uint32_t result_size;
	uint32_t argc;
	uint32_t record; /* of the call, in its function's plan */
	uint32_t unused;
};

/* Bytes that a value of this letter takes on the tape. */
static inline uint32_t hence_letter_size(char letter)
{
	switch (letter) {
	case 'v': return 0;
	case 'b': return 1;
	case 's': return 2;
	case 'i':
	case 'f': return 4;
	case 'e': return 10;
	case 'q':
	case 'S': return 16;
	default: return 8;
	}
}

/* What cc leaves in each object. `addresses` holds the addresses of `functions` defined functions,
   `globals` defined or declared variables, `labels` blocks whose address is taken and `imports`
   declared functions, in the order in which model_build() numbers them. */
struct hence_rt_module {
	uint32_t protocol;
	uint32_t functions;
	uint32_t globals;
	uint32_t labels;
	uint32_t imports;
	uint32_t number; /* given at registration */
	const void *const *addresses;
	const uint64_t *sizes; /* of the globals; 0: declared here, defined elsewhere */
	struct hence_rt_import *import;
	uint8_t hash[16];
};

/* A function that code outside may enter. `signature` as in struct hence_rt_site. */
struct hence_rt_function {
	struct hence_rt_module *module;
	const char *signature;
	uint32_t number; /* in its module */
	uint32_t result_size;
};

struct hence_module_record {
	uint8_t hash[16];
	uint32_t number;
	uint32_t functions, globals, labels, imports;
	/* then that many u64 addresses, then the path of the ELF file, terminated */
};

struct hence_call_record {
	uint64_t address; /* of the callee */
	uint32_t record;  /* of the call, in its function's plan */
} __attribute__((packed));

struct hence_resume_record {
	uint64_t frame;
	uint32_t record; /* of the call that returns, in its function's plan */
} __attribute__((packed));

/* Begins each run of a handler in the side stream. */
struct hence_side_record {
	uint64_t position; /* in the file: where the main stream stood */
	uint64_t pc;       /* interrupted instruction */
	uint64_t size;     /* bytes that follow; 0: the program ended in the handler */
	uint32_t signal;
	uint32_t jumped; /* 1: it did not return: HENCE_RESUME follows in the main stream */
};

struct hence_enter_record {
	uint32_t module;
	uint32_t function;
	uint64_t frame;
	/* then the arguments, each in its store size */
};

/* Memory effects and provenance of an outside call. */
enum hence_effect_kind {
	HENCE_WROTE = 1, /* memory at address got these `size` bytes (bytes follow) */
	HENCE_INPUT,     /* bytes stream[offset..+size) were read to address; 0: into the result.
			    Stream -1 is memory and -2 the environment; offset is then an address */
	HENCE_OUTPUT,    /* bytes stream[offset..+size) were written, from address (0: arguments);
			    size 0: nobody knows how many */
	HENCE_ALLOCATED, /* object address[0..size) was born */
	HENCE_FREED,     /* object at address died */
	HENCE_OPENED,    /* stream now names the file whose name follows (size bytes); without a
			    name, offset is 1 + the descriptor it is a copy of, or 0 */
	HENCE_CLOSED,    /* stream is closed */
	HENCE_TEXT,      /* a string argument, as it was before the call (bytes follow) */
	HENCE_SEEN,      /* as HENCE_WROTE, but found by observation: no model (bytes follow) */
};

struct hence_effect {
	uint8_t kind;      /* enum hence_effect_kind */
	uint8_t has_bytes; /* 1: `size` bytes follow */
	uint16_t argument; /* 1 + index of the argument it is about; 0: result or none */
	int32_t stream;    /* file descriptor; -1: none */
	uint64_t address;
	uint64_t offset;
	uint64_t size;
} __attribute__((packed));

#endif
