/*
 * The table of sites: whatever is done to objects, each entry leads to a NOP of five bytes in the function
 * that it names, and each statement has one.
 */
#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "run/blobs.h"
#include "run/sites.h"
#include "trace/modules.h"

static char folder[] = "/tmp/hence-unit-XXXXXX";

static const char main_c[] =
	"#include <stdio.h>\nextern int other(int);\nint dollar(int x) __asm__(\"a$b\");\n"
	"int dollar(int x) { return x > 2 ? x : 2; }\n"
	"static int helper(int x) { switch (x) { case 1: return 5; case 2: x++; } return x; }\n"
	"__attribute__((weak)) int soft(int x) { while (x > 3) x /= 2; return x; }\n"
	"int unused(int x) { return x + 1; }\n"
	"int main(int argc, char **argv)\n{\n	int s = 0;\n	for (int i = 0; i < 9; i++)\n"
	"		s += helper(i) + soft(i) + dollar(i) + other(i);\n	printf(\"%d\\n\", "
	"s);\n	return 0;\n}\n";
static const char other_c[] = "__attribute__((section(\".text.far\"))) static int helper(int x) { "
			      "if (x) x--; return x; }\n"
			      "int other(int x) { return helper(x) * 2; }\n";

/* --- what the file has --- */

struct file {
	const char *path;
	Elf *elf;
	int fd;
};

/* Are the bytes at this address of the loaded file those of a site? */
static bool is_nop(const struct file *file, uint64_t address)
{
	size_t count;
	uint8_t bytes[HENCE_SITE_NOP_SIZE];

	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr part;

		gelf_getphdr(file->elf, (int)i, &part);
		if (part.p_type != PT_LOAD || address < part.p_vaddr ||
		    address + sizeof(bytes) > part.p_vaddr + part.p_filesz)
			continue;
		assert_int_equal(pread(file->fd, bytes, sizeof(bytes),
		                       (off_t)(part.p_offset + address - part.p_vaddr)),
		                 sizeof(bytes));
		return !memcmp(bytes, HENCE_SITE_NOP, sizeof(bytes));
	}
	return false;
}

/* Two functions may have one name: then it is that of one of them. */
static bool leads_to_site(const struct file *file, const char *name, uint32_t offset)
{
	name += *name == '\1';
	for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Sym symbol;

		gelf_getshdr(section, &header);
		if (header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; gelf_getsym(data, i, &symbol); i++)
			if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
			    !strcmp(elf_strptr(file->elf, header.sh_link, symbol.st_name), name) &&
			    offset < symbol.st_size && is_nop(file, symbol.st_value + offset))
				return true;
	}
	return false;
}

static const struct plan_function *owner(const struct plan *plan,
                                         const struct hence_site_entry *entry)
{
	uint32_t number = entry->site & 0x3fffffff, f = 0;

	for (uint32_t k = 0; k < plan->functions.size; k++) {
		const struct plan_function *p = &plan->functions.at[k];

		if ((entry->site >> 30 == HENCE_SITE_BRANCH ? p->first_block
		                                            : p->first_statement) <= number)
			f = k;
	}
	return &plan->functions.at[f];
}

static void check_module(const struct file *file, const struct plan *plan,
                         const struct hence_site_entry *entries, uint32_t count)
{
	uint32_t places;

	for (uint32_t i = 0; i < count; i++) {
		const char *name = owner(plan, &entries[i])->name;

		if (!leads_to_site(file, name, entries[i].offset))
			fail_msg("%s: no site at %s + %u", file->path, name, entries[i].offset);
	}
	for (uint32_t f = 0; f < plan->functions.size; f++) {
		const struct plan_function *p = &plan->functions.at[f];

		for (uint32_t s = 0; s < p->statements.size; s++)
			assert_non_null(sites_find(entries, count, HENCE_SITE_STATEMENT,
			                           p->first_statement + s, &places));
	}
}

static void must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

static void check_file(const char *path, uint32_t modules)
{
	struct file file = {.path = path, .fd = open(path, O_RDONLY)};
	struct modules *source = modules_create();
	struct blobs *blobs;
	struct sites *sites;

	file.elf = elf_begin(file.fd, ELF_C_READ_MMAP, NULL);
	must(blobs_open(path, &blobs));
	must(sites_open(path, &sites));
	assert_int_equal(blobs_count(blobs), modules);
	for (uint32_t i = 0; i < modules; i++) {
		const uint8_t *hash = blobs_at(blobs, i)->header.hash;
		const struct hence_site_entry *entries;
		const struct plan *plan;
		uint32_t count;

		must(modules_find(source, path, hash, &plan));
		entries = sites_module(sites, hash, &count);
		assert_non_null(entries);
		check_module(&file, plan, entries, count);
	}
	sites_close(sites);
	blobs_close(blobs);
	modules_destroy(source);
	elf_end(file.elf);
	close(file.fd);
}

/* --- what is done to objects --- */

static void run(const char *command)
{
	if (system(command))
		fail_msg("failed: %s", command);
}

static void survives_everything(void **state)
{
	static const char *const commands[] = {
		"$HENCE_CC main.c other.c -o prog",
		"$HENCE_CC -O2 -no-pie main.c other.c -o prog",
		"$HENCE_CC -static main.c other.c -o prog",
		"$HENCE_CC -static-pie main.c other.c -o prog",
		"$HENCE_CC -fPIC -shared main.c other.c -o prog",
		"$HENCE_CC -ffunction-sections -Wl,--gc-sections main.c other.c -o prog",
		"$HENCE_CC -c main.c other.c && ar rcs lib.a other.o && $HENCE_CC main.o lib.a -o "
		"prog",
		"$HENCE_CC -c main.c other.c && ld -r main.o other.o -o both.o && $HENCE_CC both.o "
		"-o prog",
		"$HENCE_CC -ffunction-sections -c main.c other.c && ld -r main.o other.o -o both.o "
		"&& "
		"$HENCE_CC -Wl,--gc-sections both.o -o prog",
		"$HENCE_CC main.c other.c -o prog && strip -g prog",
		"$HENCE_CC -S main.c && $HENCE_CC main.s other.c -o prog",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		run(commands[i]);
		check_file("prog", 2);
	}
}

/* --- what is wrong --- */

static void refuses(const char *command, const char *why)
{
	struct hence_error *error;
	struct sites *sites;

	run(command);
	error = sites_open("bad", &sites);
	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	if (!strstr(error->message, why) || !strstr(error->message, "rebuild"))
		fail_msg("%s: %s", command, error->message);
	error_destroy(error);
}

static void refuses_what_is_corrupt(void **state)
{
	(void)state;
	run("$HENCE_CC main.c other.c -o prog && objcopy -O binary --only-section=.hence.points "
	    "--set-section-flags .hence.points=alloc prog points");
	refuses("strip --remove-section=.hence.points prog -o bad", "has no section");
	refuses("head -c 35 points >part && objcopy --update-section .hence.points=part prog bad",
	        "ends inside an entry");
	refuses("tail -c +5 points >part && objcopy --update-section .hence.points=part prog bad",
	        "does not begin");
	refuses("(head -c 8 points; printf '\\1'; tail -c +10 points) >part && "
	        "objcopy --update-section .hence.points=part prog bad",
	        "another version");
	refuses("(head -c 35 points; printf '\\377'; tail -c +37 points) >part && "
	        "objcopy --update-section .hence.points=part prog bad",
	        "unknown kind");
}

static int set_up(void **state)
{
	int fd;

	(void)state;
	elf_version(EV_CURRENT);
	if (!getenv("HENCE_CC") || !mkdtemp(folder) || chdir(folder))
		return 1;
	fd = open("main.c", O_CREAT | O_WRONLY, 0600);
	if (write(fd, main_c, strlen(main_c)) < 0)
		return 1;
	close(fd);
	fd = open("other.c", O_CREAT | O_WRONLY, 0600);
	if (write(fd, other_c, strlen(other_c)) < 0)
		return 1;
	return close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	run("rm -f main.c other.c main.o other.o both.o lib.a main.s prog points part bad");
	return chdir("/") || rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(survives_everything),
		cmocka_unit_test(refuses_what_is_corrupt),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
