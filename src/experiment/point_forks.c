/*
 * How far a run may be forked. A child must find everything as the parent left it, and what it does must
 * not be seen by others. Memory is its own, and so are the offsets of files that are open for reading,
 * once they are put back; all else that programs do to the world outside is shared.
 */
#include <fcntl.h>
#include <string.h>

#include "experiment/point.h"
#include "runtime/harmless.h"

/* Beside those of runtime/harmless.h: what reads files and closes them, looks around, or ends the program. A
   name that is not here costs nothing but a longer way from the last snapshot. */
/* clang-format off */
static const char reads[] =
	/* stdio */
	" fread fread_unlocked fgets fgets_unlocked gets fgetc fgetc_unlocked getc getc_unlocked _IO_getc getchar"
	" getchar_unlocked getw getline getdelim __getdelim ungetc __uflow __underflow scanf fscanf vscanf vfscanf"
	" __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf __isoc23_fscanf"
	" __isoc23_vscanf __isoc23_vfscanf fgetwc getwc getwchar ungetwc fgetws wscanf fwscanf __fgets_chk __fread_chk"
	" fseek fseeko fseeko64 ftell ftello ftello64 rewind fgetpos fsetpos fclose fmemopen"
	/* descriptors */
	" read pread pread64 readv __read_chk __pread_chk lseek lseek64 close"
	/* looking at files and the system */
	" stat stat64 fstat fstat64 lstat lstat64 fstatat fstatat64 __xstat __fxstat __lxstat access faccessat euidaccess"
	" readlink readlinkat realpath getcwd get_current_dir_name pathconf fpathconf uname gethostname"
	" getlogin getpwnam getpwuid getgrnam getgrgid ttyname getpriority getgroups"
	/* time: answers that vary are those of the recording; these follow from them */
	" localtime localtime_r gmtime gmtime_r mktime timegm timelocal ctime ctime_r asctime asctime_r strftime wcsftime"
	" strptime difftime tzset"
	/* the end */
	" exit _exit _Exit quick_exit abort __assert_fail __assert __stack_chk_fail __chk_fail __fortify_fail"
	" err errx verr verrx warn warnx vwarn vwarnx error"
	" ";

/* What opens a file; the next argument says how. */
static const char opens[] = " open open64 __open __open_2 __open64_2 fopen fopen64 fdopen freopen freopen64 ";
static const char opens_at[] = " openat openat64 __openat_2 __openat64_2 ";
/* clang-format on */

struct search {
	const struct outside_table *table;
	uint64_t last;
};

/* fopen()'s word for it. */
static bool only_reads(LLVMValueRef mode)
{
	LLVMValueRef text = LLVMIsAGlobalVariable(mode) ? LLVMGetInitializer(mode) : NULL;
	const char *at;
	size_t size;

	if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return false;
	at = LLVMGetAsString(text, &size);
	return size && at[0] == 'r' && !memchr(at, '+', size);
}

/* Does the call open a file, and for reading only? Seen from the code alone: what a variable holds is
   not known here. */
static bool opens_to_read(const char *name, LLVMValueRef instruction)
{
	unsigned at = hence_is_listed(opens_at, name) ? 2 : 1;
	LLVMValueRef how;

	if (at == 1 && !hence_is_listed(opens, name))
		return false;
	if (LLVMGetNumArgOperands(instruction) <= at)
		return false;
	how = LLVMGetOperand(instruction, at);
	if (LLVMIsAConstantInt(how))
		return !(LLVMConstIntGetZExtValue(how) & (O_ACCMODE | O_CREAT | O_TRUNC));
	return only_reads(how);
}

static bool is_fine(const struct search *s, const char *name, LLVMValueRef instruction)
{
	const struct outside_function *model = s->table ? outside_table_find(s->table, name) : NULL;

	if (hence_is_listed(hence_harmless, name) || hence_is_listed(reads, name))
		return true;
	if (model && model->flags & (OUTSIDE_PURE | OUTSIDE_VARIES))
		return true;
	return opens_to_read(name, instruction);
}

/* The statement of the call has been counted: the point before it is the last. */
static bool look(void *context, const char *name, LLVMValueRef call, uint64_t time)
{
	struct search *s = context;

	if (is_fine(s, name, call))
		return true;
	s->last = time;
	return false;
}

struct hence_error *points_last_fork(const struct recording *run, uint64_t *out)
{
	struct search s = {.table = run->table, .last = UINT64_MAX};
	const struct path_visitor visitor = {.context = &s, .called = look};
	struct hence_error *error = path_visit(run, &visitor);

	if (!error)
		*out = s.last;
	return error;
}
