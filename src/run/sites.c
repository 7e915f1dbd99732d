/* The sites in the code of an ELF file: see sites.h. */
#include "run/sites.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "runtime/protocol.h"

struct module {
	uint8_t hash[16];
	uint32_t first, count; /* entries */
};

struct sites {
	VEC(struct module) modules;
	VEC(struct hence_site_entry) entries;
};

/* An ELF file that is being read. */
struct reader {
	const char *path;
	int fd;
	Elf *elf;
};

static struct hence_error *corrupt(const struct reader *r, const char *what)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "%s: its section " HENCE_POINTS_SECTION " is corrupt (%s); rebuild it "
	                    "with hence cc",
	                    r->path, what);
}

static int by_site(const void *a, const void *b)
{
	const struct hence_site_entry *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_header(const uint8_t *at, size_t room)
{
	return room >= sizeof(struct hence_points_header) &&
	       !memcmp(at, HENCE_POINTS_MAGIC, sizeof(HENCE_POINTS_MAGIC) - 1);
}

/* The entries of one object, up to the next header. */
static struct hence_error *read_module(struct sites *sites, const struct reader *r,
                                       const uint8_t *bytes, size_t size, size_t *at)
{
	struct hence_points_header header;
	struct module module = {.first = sites->entries.size};

	if (!is_header(bytes + *at, size - *at))
		return corrupt(r, "a module does not begin with " HENCE_POINTS_MAGIC);
	memcpy(&header, bytes + *at, sizeof(header));
	if (header.protocol != HENCE_PROTOCOL)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s was built by another version of hence (protocol %u, this "
		                    "one has %u); rebuild it with this hence cc",
		                    r->path, header.protocol, HENCE_PROTOCOL);
	memcpy(module.hash, header.hash, sizeof(module.hash));
	for (*at += sizeof(header); *at < size && !is_header(bytes + *at, size - *at);) {
		struct hence_site_entry *entry;

		if (size - *at < sizeof(*entry))
			return corrupt(r, "it ends inside an entry");
		entry = vec_push(&sites->entries);
		memcpy(entry, bytes + *at, sizeof(*entry));
		if (entry->site >> 30 >= HENCE_SITE_KINDS)
			return corrupt(r, "a site of an unknown kind");
		*at += sizeof(*entry);
		module.count++;
	}
	if (module.count)
		qsort(sites->entries.at + module.first, module.count,
		      sizeof(struct hence_site_entry), by_site);
	*vec_push(&sites->modules) = module;
	return NULL;
}

static struct hence_error *read_section(struct sites *sites, const struct reader *r,
                                        Elf_Scn *section, size_t size)
{
	Elf_Data *data = elf_rawdata(section, NULL);

	if (!data || !data->d_buf || data->d_size != size)
		return corrupt(r, "it lies outside of the file");
	for (size_t at = 0; at < size;) {
		struct hence_error *error = read_module(sites, r, data->d_buf, size, &at);

		if (error)
			return error;
	}
	return NULL;
}

static struct hence_error *read_sections(struct sites *sites, const struct reader *r)
{
	size_t names = 0;

	if (elf_getshdrstrndx(r->elf, &names))
		return error_create(HENCE_ERROR_INPUT, "cannot read %s: %s", r->path,
		                    elf_errmsg(-1));
	for (Elf_Scn *section = NULL; (section = elf_nextscn(r->elf, section));) {
		struct hence_error *error;
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || !header.sh_size)
			continue;
		name = elf_strptr(r->elf, names, header.sh_name);
		if (!name || strcmp(name, HENCE_POINTS_SECTION))
			continue;
		error = read_section(sites, r, section, header.sh_size);
		if (error)
			return error;
	}
	if (sites->modules.size)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s has no section " HENCE_POINTS_SECTION
	                    ", so it cannot be stopped on its way; rebuild it with this hence cc "
	                    "and do not remove the section",
	                    r->path);
}

static struct hence_error *read_file(struct sites *sites, struct reader *r)
{
	elf_version(EV_CURRENT);
	r->fd = open(r->path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", r->path);
	r->elf = elf_begin(r->fd, ELF_C_READ_MMAP, NULL);
	if (!r->elf || elf_kind(r->elf) != ELF_K_ELF)
		return error_create(HENCE_ERROR_INPUT, "%s is not an ELF file", r->path);
	return read_sections(sites, r);
}

struct hence_error *sites_open(const char *path, struct sites **out)
{
	struct sites *sites = mem_alloc(sizeof(*sites));
	struct reader r = {.path = path, .fd = -1};
	struct hence_error *error = read_file(sites, &r);

	elf_end(r.elf);
	if (r.fd >= 0)
		close(r.fd);
	if (error)
		sites_close(sites);
	else
		*out = sites;
	return error;
}

void sites_close(struct sites *sites)
{
	if (!sites)
		return;
	vec_deinit(&sites->modules);
	vec_deinit(&sites->entries);
	free(sites);
}

const struct hence_site_entry *sites_module(const struct sites *sites, const uint8_t hash[16],
                                            uint32_t *count)
{
	for (uint32_t m = 0; m < sites->modules.size; m++) {
		const struct module *module = &sites->modules.at[m];

		if (memcmp(module->hash, hash, sizeof(module->hash)))
			continue;
		*count = module->count;
		return sites->entries.at + module->first;
	}
	return NULL;
}

const struct hence_site_entry *sites_find(const struct hence_site_entry *entries, uint32_t count,
                                          enum hence_site_kind kind, uint32_t number,
                                          uint32_t *places)
{
	uint32_t site = (uint32_t)kind << 30 | number, low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (entries[middle].site < site)
			low = middle + 1;
		else
			high = middle;
	}
	for (*places = 0; low + *places < count && entries[low + *places].site == site;)
		++*places;
	return *places ? entries + low : NULL;
}
