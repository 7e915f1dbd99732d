/* The user's own shared libraries: see libraries.h. */
#include "run/libraries.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/blobs.h"

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

struct hence_error *libraries_instrumented(const char *elf, bool *out)
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
