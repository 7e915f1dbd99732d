/* The program that a command names: see executable.h. */
#include "run/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/blobs.h"

/* ------ the user's own shared libraries ------ */

/* What the dynamic section of one file says. */
struct needs {
	VEC(char *) names;
	struct str folders; /* ':' between them */
};

/* Files found so far; each is looked at once. */
struct search {
	VEC(char *) files;
};

static void needs_deinit(struct needs *needs)
{
	for (uint32_t i = 0; i < needs->names.size; i++)
		free(needs->names.at[i]);
	vec_deinit(&needs->names);
	str_deinit(&needs->folders);
}

/* Adds the folders of an RPATH, with $ORIGIN replaced by the file's own folder. */
static void add_folders(struct str *folders, const char *text, const char *origin)
{
	while (*text) {
		size_t length = strcspn(text, "$");

		str_add_bytes(folders, text, length);
		text += length;
		if (!strncmp(text, "$ORIGIN", 7) || !strncmp(text, "${ORIGIN}", 9)) {
			str_add(folders, origin);
			text += text[1] == '{' ? 9 : 7;
		} else if (*text) {
			str_add_char(folders, *text++);
		}
	}
	str_add_char(folders, ':');
}

static void read_dynamic(Elf *elf, const char *origin, struct needs *needs)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Dyn entry;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
			const char *text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);

			if (entry.d_tag == DT_NULL)
				break;
			if (entry.d_tag == DT_NEEDED && text)
				*vec_push(&needs->names) = mem_strdup(text);
			if ((entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) && text)
				add_folders(&needs->folders, text, origin);
		}
	}
}

static void read_needs(const char *path, struct needs *needs)
{
	const char *slash = strrchr(path, '/');
	char *origin = slash ? mem_strndup(path, slash - path) : mem_strdup(".");
	const char *preset = getenv("LD_LIBRARY_PATH");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	str_printf(&needs->folders, "%s:%s:", preset ? preset : "", origin);
	if (elf)
		read_dynamic(elf, origin, needs);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	free(origin);
}

static void add_file(struct search *search, const char *path)
{
	for (uint32_t i = 0; i < search->files.size; i++)
		if (!strcmp(search->files.at[i], path))
			return;
	*vec_push(&search->files) = mem_strdup(path);
}

static void find_one(struct search *search, const char *name, const char *folders)
{
	while (*folders) {
		size_t length = strcspn(folders, ":");
		char *path = str_format("%.*s/%s", (int)length, folders, name);
		bool found = length && !access(path, R_OK);

		if (found)
			add_file(search, path);
		free(path);
		if (found)
			return;
		folders += length + (folders[length] == ':');
	}
}

static void find_all(struct search *search, const char *path)
{
	struct needs needs = {VEC_INIT, STR_INIT};

	read_needs(path, &needs);
	for (uint32_t i = 0; i < needs.names.size; i++) {
		if (strchr(needs.names.at[i], '/') && !access(needs.names.at[i], R_OK))
			add_file(search, needs.names.at[i]);
		else
			find_one(search, needs.names.at[i], str_text(&needs.folders));
	}
	needs_deinit(&needs);
}

/* True if one of them, or one that they need in turn, was built with hence cc. */
static struct hence_error *libraries_instrumented(const char *elf, bool *out)
{
	struct search search = {VEC_INIT};
	struct hence_error *error = NULL;
	bool found = false;

	find_all(&search, elf);
	for (uint32_t i = 0; i < search.files.size && !found && !error; i++) {
		struct blobs *blobs = NULL;

		error = blobs_open(search.files.at[i], &blobs);
		if (!error)
			found = blobs_instrumented(blobs);
		blobs_close(blobs);
		if (!error && !found)
			find_all(&search, search.files.at[i]);
	}
	for (uint32_t i = 0; i < search.files.size; i++)
		free(search.files.at[i]);
	vec_deinit(&search.files);
	if (!error)
		*out = found;
	return error;
}

/* ------ the program ------ */

/* What cannot be run, in the words of the system where they are the usual ones. */
static struct hence_error *refuse(const char *name, int reason)
{
	const char *why = strerror(reason);

	if (reason == ENOENT && !strchr(name, '/') && !access(name, F_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run %s: it is not in PATH; for the file of this "
		                    "directory say ./%s",
		                    name, name);
	if (reason == ENOENT)
		why = "no such file";
	else if (reason == EISDIR)
		why = "it is a directory";
	else if (reason == EACCES)
		why = "no permission to execute it (chmod +x?)";
	return error_create(HENCE_ERROR_INPUT, "cannot run %s: %s", name, why);
}

/* 0, or the errno that says why the file cannot be executed. */
static int check_file(const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return errno;
	if (S_ISDIR(info.st_mode))
		return EISDIR;
	if (!S_ISREG(info.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

/* Looks through PATH; like execvp(), goes on behind a file that may not be executed. */
static int search_path(const char *name, char **out)
{
	const char *folders = getenv("PATH");
	int reason = ENOENT;

	if (!folders)
		folders = "/bin:/usr/bin";
	for (;;) {
		size_t length = strcspn(folders, ":");
		char *path = length ? str_format("%.*s/%s", (int)length, folders, name)
		                    : str_format("./%s", name);
		int found = check_file(path);

		if (!found) {
			*out = path;
			return 0;
		}
		free(path);
		if (found == EACCES)
			reason = EACCES;
		if (!folders[length])
			return reason;
		folders += length + 1;
	}
}

struct hence_error *executable_locate(const char *name, char **out)
{
	int reason = 0;

	if (!*name)
		reason = ENOENT;
	else if (!strchr(name, '/'))
		reason = search_path(name, out);
	else if (!(reason = check_file(name)))
		*out = mem_strdup(name);
	return reason ? refuse(name, reason) : NULL;
}

static struct hence_error *is_elf(const char *name, const char *path, bool *out)
{
	char magic[4] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", name);
	got = read(fd, magic, sizeof(magic));
	close(fd);
	*out = got == 4 && !memcmp(magic, "\177ELF", 4);
	return NULL;
}

/* Programs that people put in front of the one they mean. */
static bool only_runs_others(const char *path)
{
	static const char *const names[] = {"sh",   "bash", "dash",    "zsh",  "ksh",  "busybox",
	                                    "make", "env",  "timeout", "nice", "time", "xargs"};
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(base, names[i]))
			return true;
	return false;
}

static struct hence_error *check_elf(struct executable *executable)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(executable->path, &blobs);
	bool instrumented = false, has_ir = false;

	if (error)
		return error;
	instrumented = blobs_instrumented(blobs);
	has_ir = blobs_count(blobs) > 0;
	blobs_close(blobs);
	if (instrumented && !has_ir)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s has lost its section " HENCE_IR_SECTION
		                    "; rebuild it with hence cc and do not remove the section",
		                    executable->name);
	if (instrumented)
		return NULL;
	error = libraries_instrumented(executable->path, &instrumented);
	if (error || instrumented)
		return error;
	executable->script = only_runs_others(executable->path);
	if (executable->script)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s was not built with hence cc; rebuild with CC=hence-cc, or use "
	                    "'hence build -- make'",
	                    executable->name);
}

struct hence_error *executable_find(const char *name, struct executable *out)
{
	struct executable executable = {0};
	struct hence_error *error = executable_locate(name, &executable.path);
	bool elf = false;

	if (error)
		return error;
	executable.name = mem_strdup(name);
	error = is_elf(name, executable.path, &elf);
	executable.script = !elf;
	if (!error && elf)
		error = check_elf(&executable);
	if (error)
		executable_deinit(&executable);
	else
		*out = executable;
	return error;
}

void executable_deinit(struct executable *executable)
{
	free(executable->name);
	free(executable->path);
	*executable = (struct executable){0};
}
