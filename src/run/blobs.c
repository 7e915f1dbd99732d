/* The IR blobs of an ELF file: see blobs.h. */
#include "run/blobs.h"

#include <assert.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/vec.h"

struct blobs {
	char *path;
	int fd;
	Elf *elf;
	bool instrumented;
	VEC(struct blob) list;
};

#define BLOB_MAX (1ull << 32) /* no single module is larger */

static struct hence_error *corrupt(const struct blobs *blobs, const char *what)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "%s: its section " HENCE_IR_SECTION " is corrupt (%s); rebuild it with "
	                    "hence cc",
	                    blobs->path, what);
}

static struct hence_error *check_header(const struct blobs *blobs,
                                        const struct hence_ir_header *header, size_t room)
{
	if (header->protocol != HENCE_PROTOCOL)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s was built by another version of hence (protocol %u, this "
		                    "one has %u); rebuild it with this hence cc",
		                    blobs->path, header->protocol, HENCE_PROTOCOL);
	if (header->size > room - sizeof(*header))
		return corrupt(blobs, "it ends inside a module");
	if (header->plain_size > BLOB_MAX)
		return corrupt(blobs, "a module has an impossible size");
	return NULL;
}

/* The linker may put zeros between the blobs of two objects. */
static size_t skip_padding(const uint8_t *bytes, size_t at, size_t size)
{
	at = (at + 7) & ~(size_t)7;
	while (at < size && bytes[at] == 0)
		at++;
	return at < size ? at : size;
}

static struct hence_error *read_section(struct blobs *blobs, const uint8_t *bytes, size_t size)
{
	for (size_t at = skip_padding(bytes, 0, size); at < size;) {
		struct hence_ir_header header;
		struct hence_error *error;
		struct blob *blob;

		if (size - at < sizeof(header))
			return corrupt(blobs, "it ends inside a header");
		memcpy(&header, bytes + at, sizeof(header));
		if (memcmp(header.magic, HENCE_IR_MAGIC, sizeof(header.magic)))
			return corrupt(blobs, "a module does not begin with " HENCE_IR_MAGIC);
		error = check_header(blobs, &header, size - at);
		if (error)
			return error;
		blob = vec_push(&blobs->list);
		blob->header = header;
		blob->bytes = bytes + at + sizeof(header);
		at = skip_padding(bytes, at + sizeof(header) + header.size, size);
	}
	return NULL;
}

static struct hence_error *read_sections(struct blobs *blobs)
{
	size_t names = 0;

	if (elf_getshdrstrndx(blobs->elf, &names))
		return error_create(HENCE_ERROR_INPUT, "cannot read %s: %s", blobs->path,
		                    elf_errmsg(-1));
	for (Elf_Scn *section = NULL; (section = elf_nextscn(blobs->elf, section));) {
		GElf_Shdr header;
		const char *name;
		Elf_Data *data;
		struct hence_error *error;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(blobs->elf, names, header.sh_name);
		if (name && !strcmp(name, HENCE_MODULES_SECTION) && header.sh_size)
			blobs->instrumented = true;
		if (!name || strcmp(name, HENCE_IR_SECTION) || !header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || data->d_size != header.sh_size)
			return corrupt(blobs, "it lies outside of the file");
		error = read_section(blobs, data->d_buf, data->d_size);
		if (error)
			return error;
	}
	return NULL;
}

static struct hence_error *open_elf(struct blobs *blobs)
{
	elf_version(EV_CURRENT);
	blobs->fd = open(blobs->path, O_RDONLY | O_CLOEXEC);
	if (blobs->fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", blobs->path);
	blobs->elf = elf_begin(blobs->fd, ELF_C_READ_MMAP, NULL);
	if (!blobs->elf || elf_kind(blobs->elf) != ELF_K_ELF)
		return error_create(HENCE_ERROR_INPUT, "%s is not an ELF file", blobs->path);
	return read_sections(blobs);
}

struct hence_error *blobs_open(const char *path, struct blobs **out)
{
	struct blobs *blobs = mem_alloc(sizeof(*blobs));
	struct hence_error *error;

	blobs->path = mem_strdup(path);
	error = open_elf(blobs);
	if (error)
		blobs_close(blobs);
	else
		*out = blobs;
	return error;
}

void blobs_close(struct blobs *blobs)
{
	if (!blobs)
		return;
	elf_end(blobs->elf);
	if (blobs->fd >= 0)
		close(blobs->fd);
	vec_deinit(&blobs->list);
	free(blobs->path);
	free(blobs);
}

bool blobs_instrumented(const struct blobs *blobs)
{
	return blobs->instrumented;
}

uint32_t blobs_count(const struct blobs *blobs)
{
	return blobs->list.size;
}

const struct blob *blobs_at(const struct blobs *blobs, uint32_t index)
{
	assert(index < blobs->list.size);
	return &blobs->list.at[index];
}

const struct blob *blobs_find(const struct blobs *blobs, const uint8_t hash[16])
{
	for (uint32_t i = 0; i < blobs->list.size; i++) {
		const struct blob *blob = &blobs->list.at[i];

		if (!memcmp(blob->header.hash, hash, sizeof(blob->header.hash)))
			return blob;
	}
	return NULL;
}

struct hence_error *blobs_bitcode(const struct blobs *blobs, const struct blob *blob, uint8_t **out,
                                  size_t *size)
{
	size_t plain = blob->header.plain_size;
	uint8_t *bytes;
	size_t got;

	/* The frame must agree before its word on the size is taken for memory. */
	if (ZSTD_getFrameContentSize(blob->bytes, blob->header.size) != plain)
		return corrupt(blobs, "the size of a module is wrong");
	bytes = mem_alloc(plain);
	got = ZSTD_decompress(bytes, plain, blob->bytes, blob->header.size);
	if (ZSTD_isError(got) || got != plain) {
		free(bytes);
		return corrupt(blobs, "a module cannot be decompressed");
	}
	*out = bytes;
	*size = plain;
	return NULL;
}

void blobs_build_hash(const struct blobs *blobs, uint8_t out[16])
{
	/* The hashes are good already; only their order must count too. */
	memset(out, 0, 16);
	for (uint32_t i = 0; i < blobs->list.size; i++) {
		uint8_t first = out[0];

		memmove(out, out + 1, 15);
		out[15] = first;
		for (int j = 0; j < 16; j++)
			out[j] ^= blobs->list.at[i].header.hash[j];
	}
}
