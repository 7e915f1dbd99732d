/* What a process was doing when a deadly signal came: see crash.h. */
#include "run/crash.h"

#include <ctype.h>
#include <gelf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/position.h"
#include "run/process_memory.h"
#include "runtime/protocol.h"

/* ------ glibc's last words ------ */

#define LONGEST 4096

struct search {
	GElf_Addr address; /* of the variable; 0: not found */
};

static int search_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         void *arg)
{
	struct search *search = arg;
	int count = dwfl_module_getsymtab(module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *text =
			dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);

		if (text && symbol.st_shndx != SHN_UNDEF && !strcmp(text, "__abort_msg")) {
			search->address = address;
			return DWARF_CB_ABORT;
		}
	}
	return DWARF_CB_OK;
}

static char *abort_message_read(Dwfl *dwfl, pid_t pid)
{
	struct search search = {0};
	uint64_t at = 0;
	uint32_t size = 0; /* of the allocation; the text ends with a 0 before */
	char text[LONGEST];

	dwfl_getmodules(dwfl, search_module, &search, 0);
	if (!search.address || !process_memory_read(pid, search.address, &at, sizeof(at)) || !at ||
	    !process_memory_read(pid, at, &size, sizeof(size)) || size <= sizeof(size))
		return NULL;
	size -= sizeof(size);
	if (size > sizeof(text) - 1)
		size = sizeof(text) - 1;
	if (!process_memory_read(pid, at + 4, text, size))
		return NULL;
	text[size] = '\0';
	for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]); end--)
		text[end - 1] = '\0';
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	return *text ? mem_strdup(text) : NULL;
}

/* The last place of `text` before `end`; NULL: none. */
static const char *find_before(const char *start, const char *end, const char *text)
{
	size_t length = strlen(text);

	for (const char *at = end - length; at >= start; at--)
		if (!strncmp(at, text, length))
			return at;
	return NULL;
}

/* 'int find(const char *)' -> 'find'; a plain name stays. */
static char *plain_function(const char *text, size_t length)
{
	const char *end = memchr(text, '(', length);
	const char *start;

	if (!end)
		end = text + length;
	for (start = end; start > text; start--)
		if (!isalnum((unsigned char)start[-1]) && start[-1] != '_')
			break;
	return mem_strndup(start, end - start);
}

bool abort_message_parse(const char *message, struct outcome_assert *out)
{
	const char *text = strstr(message, "Assertion `");
	const char *end = message + strlen(message) - strlen("' failed.");
	const char *function_end, *function, *line, *file;

	if (!text || end <= text + 11 || strcmp(end, "' failed."))
		return false;
	function_end = find_before(message, text, ": ");
	function = function_end ? find_before(message, function_end, ": ") : NULL;
	line = function ? find_before(message, function, ":") : NULL;
	if (!line)
		return false;
	file = strstr(message, ": ");
	file = file < line ? file + 2 : message;
	out->text = mem_strndup(text + 11, end - text - 11);
	out->file = mem_strndup(file, line - file);
	out->line = atoi(line + 1);
	out->function = plain_function(function + 2, function_end - function - 2);
	return true;
}

/* ------ where and why it crashed ------ */

#define FRAMES 128 /* of the stack that are looked at */

/* The stack of a stopped thread, innermost frame first. */
struct stack {
	Dwfl *dwfl;
	uint32_t count;
	uint64_t pc[FRAMES]; /* of the instruction that was executed, also in callers */
};

static bool mask_has(const char *text, const char *name, int number)
{
	const char *at = strstr(text, name);
	unsigned long long mask = at ? strtoull(at + strlen(name), NULL, 16) : 0;

	return mask >> (number - 1) & 1;
}

bool crash_is_deadly(pid_t thread, int number)
{
	char text[4096];

	switch (number) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU: return false;
	}
	process_memory_text(thread, "status", text, sizeof(text));
	return !mask_has(text, "\nSigIgn:", number) && !mask_has(text, "\nSigCgt:", number);
}

static bool is_fault(const siginfo_t *info)
{
	return info->si_code > 0 && info->si_signo != SIGCHLD;
}

/* Beyond the end of the stack nothing is mapped, or, of a thread's, only what cannot be used. */
static bool is_overflow(const siginfo_t *info, const struct user_regs_struct *registers)
{
	uint64_t address = (uint64_t)info->si_addr, stack = registers->rsp;

	return is_fault(info) && info->si_signo == SIGSEGV &&
	       (info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR) &&
	       address + 65536 > stack && address < stack + 65536;
}

static char *describe_segv(const siginfo_t *info, const struct user_regs_struct *registers)
{
	uint64_t address = (uint64_t)info->si_addr;

	if (is_overflow(info, registers))
		return str_format("stack overflow, address 0x%lx", address);
	if (info->si_code == SI_KERNEL)
		return str_format("impossible address");
	if (address == registers->rip)
		return str_format("call of the invalid address 0x%lx", address);
	if (info->si_code == SEGV_ACCERR)
		return str_format("no permission for address 0x%lx", address);
	return str_format("invalid address 0x%lx", address);
}

/* Why the signal came; NULL: nothing to say. Caller frees. */
static char *describe(pid_t pid, const siginfo_t *info, const struct user_regs_struct *registers)
{
	if (!is_fault(info)) {
		if (info->si_signo == SIGABRT && info->si_pid == pid)
			return NULL;
		return mem_strdup(info->si_pid == pid ? "sent by itself"
		                                      : "sent by another process");
	}
	switch (info->si_signo) {
	case SIGSEGV: return describe_segv(info, registers);
	case SIGBUS: return str_format("invalid address 0x%lx", (uint64_t)info->si_addr);
	case SIGFPE:
		return mem_strdup(info->si_code == FPE_INTDIV ? "integer division"
		                                              : "floating point exception");
	case SIGILL: return mem_strdup("illegal instruction");
	}
	return NULL;
}

void crash_note_fault(pid_t thread, int number, struct crash_fault *fault)
{
	struct user_regs_struct registers;
	siginfo_t info;

	if (ptrace(PTRACE_GETSIGINFO, thread, 0, &info) || !is_fault(&info) ||
	    ptrace(PTRACE_GETREGS, thread, 0, &registers))
		return;
	free(fault->detail);
	fault->signal = number;
	fault->pc = registers.rip;
	fault->detail = describe(thread, &info, &registers);
}

static int add_frame(Dwfl_Frame *frame, void *data)
{
	struct stack *stack = data;
	Dwarf_Addr pc;
	bool active;

	if (stack->count == FRAMES || !dwfl_frame_pc(frame, &pc, &active))
		return DWARF_CB_ABORT;
	/* A caller's address is that behind its call. */
	stack->pc[stack->count++] = active ? pc : pc - 1;
	return DWARF_CB_OK;
}

static bool is_instrumented(Dwfl_Module *module)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name = NULL;

		if (gelf_getshdr(section, &header))
			name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, HENCE_MODULES_SECTION))
			return true;
	}
	return false;
}

static void place_of_frame(const struct stack *stack, uint32_t frame, struct place *out)
{
	Dwfl_Module *module = dwfl_addrmodule(stack->dwfl, stack->pc[frame]);

	*out = (struct place){0};
	if (module)
		position_in_module(module, stack->pc[frame], out);
}

/* A frame of the program's own code: with a line, in an instrumented file, not of our runtime. */
static bool is_own_frame(const struct stack *stack, uint32_t frame, const struct place *place)
{
	return place->file && place->function && strncmp(place->function, "hence_rt_", 9) &&
	       is_instrumented(dwfl_addrmodule(stack->dwfl, stack->pc[frame]));
}

/* A handler may raise the signal again to die of it: finds the frame where the fault was. */
static bool find_fault(const struct stack *stack, const struct crash_fault *fault, int number,
                       uint32_t *out)
{
	for (uint32_t i = 0; fault->signal == number && i < stack->count; i++) {
		if (stack->pc[i] != fault->pc)
			continue;
		*out = i;
		return true;
	}
	return false;
}

/* In a program that is not instrumented: the innermost frame of the executable itself, one with a line
   if there is one, since a static program has the C library in it. */
static bool find_executable_frame(const struct stack *stack, pid_t pid, uint32_t first,
                                  struct place *out)
{
	char link[64], elf[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, elf, sizeof(elf) - 1);
	if (length < 0)
		return false;
	elf[length] = '\0';
	*out = (struct place){0};
	for (uint32_t i = first; i < stack->count && !out->file; i++) {
		struct place place;

		place_of_frame(stack, i, &place);
		if (place.function && strncmp(place.function, "hence_rt_", 9) &&
		    !strcmp(place.elf, elf) && (place.file || !out->function)) {
			place_deinit(out);
			*out = place;
		} else {
			place_deinit(&place);
		}
	}
	return out->function;
}

static void find_places(const struct stack *stack, pid_t pid, uint32_t first,
                        struct outcome *outcome)
{
	struct place innermost;

	place_of_frame(stack, first, &innermost);
	for (uint32_t i = first; i < stack->count; i++) {
		struct place place;

		place_of_frame(stack, i, &place);
		if (is_own_frame(stack, i, &place)) {
			outcome->place = place;
			if (i > first && innermost.elf && strcmp(innermost.elf, place.elf))
				outcome->innermost = innermost;
			else
				place_deinit(&innermost);
			return;
		}
		place_deinit(&place);
	}
	if (!find_executable_frame(stack, pid, first, &outcome->place)) {
		outcome->place = innermost;
	} else if (innermost.elf && strcmp(innermost.elf, outcome->place.elf)) {
		outcome->innermost = innermost;
	} else {
		place_deinit(&innermost);
	}
}

/* --- recursion --- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The functions that are on the part of the stack that is looked at more than once. NULL: none.
   Caller frees. */
static char *find_recursion(const struct stack *stack)
{
	const char *names[FRAMES];
	struct str text = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < stack->count; i++) {
		Dwfl_Module *module = dwfl_addrmodule(stack->dwfl, stack->pc[i]);
		const char *name = module ? dwfl_module_addrname(module, stack->pc[i]) : NULL;

		if (name && strncmp(name, "hence_rt_", 9))
			names[count++] = name;
	}
	qsort(names, count, sizeof(*names), compare_names);
	for (uint32_t i = 1; i < count; i++)
		if (!strcmp(names[i - 1], names[i]) && (i == 1 || strcmp(names[i - 2], names[i])))
			str_printf(&text, "%s,", names[i]);
	return text.length ? str_steal(&text) : NULL;
}

/* libc's last words: an assertion, or what it found wrong with the heap or the stack. */
static void add_abort_message(const struct stack *stack, pid_t pid, struct outcome *outcome)
{
	char *message = abort_message_read(stack->dwfl, pid);

	if (!message)
		return;
	if (!abort_message_parse(message, &outcome->assertion)) {
		free(outcome->detail);
		outcome->detail = message;
		return;
	}
	free(message);
	/* The stack gives the plain name, libc the function's whole type. */
	if (outcome->place.function) {
		free(outcome->assertion.function);
		outcome->assertion.function = mem_strdup(outcome->place.function);
	}
}

void crash_note(pid_t pid, pid_t thread, int number, const struct crash_fault *fault,
                struct outcome *outcome)
{
	struct user_regs_struct registers;
	struct stack stack;
	siginfo_t info;
	uint32_t first = 0;

	/* Details of an earlier signal go; how the process ended stays. */
	struct outcome kept = *outcome;

	outcome_deinit(outcome);
	outcome->kind = kept.kind;
	outcome->status = kept.status;
	outcome->signal = kept.signal;

	if (ptrace(PTRACE_GETSIGINFO, thread, 0, &info) ||
	    ptrace(PTRACE_GETREGS, thread, 0, &registers))
		return;
	outcome->detail = describe(pid, &info, &registers);

	stack.count = 0;
	stack.dwfl = position_begin(true);
	if (!stack.dwfl)
		return;
	if (dwfl_linux_proc_report(stack.dwfl, pid) || dwfl_report_end(stack.dwfl, NULL, NULL)) {
		dwfl_end(stack.dwfl);
		return;
	}
	/* true: the thread is stopped already, by us. */
	if (!dwfl_linux_proc_attach(stack.dwfl, pid, true))
		dwfl_getthread_frames(stack.dwfl, thread, add_frame, &stack);
	if (!stack.count)
		stack.pc[stack.count++] = registers.rip;
	if (!dwfl_addrmodule(stack.dwfl, registers.rip)) {
		/* After a call of an address that is no code, only the return address tells where
		   we were. */
		uint64_t back;

		if (process_memory_read(pid, registers.rsp, &back, sizeof(back)) &&
		    dwfl_addrmodule(stack.dwfl, back)) {
			stack.pc[0] = registers.rip;
			stack.pc[1] = back - 1;
			stack.count = 2;
		}
	}

	if (!is_fault(&info) && find_fault(&stack, fault, number, &first) && fault->detail) {
		free(outcome->detail);
		outcome->detail = mem_strdup(fault->detail);
	}
	find_places(&stack, pid, first, outcome);
	if (is_overflow(&info, &registers))
		outcome->recursion = find_recursion(&stack);
	if (number == SIGABRT)
		add_abort_message(&stack, pid, outcome);
	dwfl_end(stack.dwfl);
}
