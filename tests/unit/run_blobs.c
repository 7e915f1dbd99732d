/* IR blobs in ELF files, which are made here with libelf. */
#include <fcntl.h>
#include <gelf.h>
#include <zstd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "run/blobs.h"

static char path[] = "/tmp/hence-unit-XXXXXX";

static const char names[] = "\0.shstrtab\0" HENCE_MODULES_SECTION "\0" HENCE_IR_SECTION;

static void add_section(Elf *elf, size_t name, uint32_t type, const void *bytes, size_t size)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	Elf64_Shdr *header = elf64_getshdr(section);

	data->d_buf = (void *)bytes;
	data->d_size = size;
	data->d_align = 8;
	data->d_type = ELF_T_BYTE;
	header->sh_name = (Elf64_Word)name;
	header->sh_type = type;
	header->sh_addralign = 8;
}

/* An ELF file with an IR section of these bytes; size 0: without one. */
static void write_elf(const struct str *ir)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	Elf *elf;
	Elf64_Ehdr *header;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	header = elf64_newehdr(elf);
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_machine = EM_X86_64;
	header->e_type = ET_REL;
	header->e_version = EV_CURRENT;
	add_section(elf, 1, SHT_STRTAB, names, sizeof(names));
	header->e_shstrndx = 1;
	add_section(elf, 11, SHT_PROGBITS, "12345678", 8);
	if (ir->length)
		add_section(elf, 11 + sizeof(HENCE_MODULES_SECTION), SHT_PROGBITS, ir->text,
		            ir->length);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

static void add_blob(struct str *ir, uint8_t name, const char *content, uint32_t protocol)
{
	struct hence_ir_header header = {.protocol = protocol, .llvm = 22, .hash = {name}};
	char bytes[256];

	memcpy(header.magic, HENCE_IR_MAGIC, 8);
	header.plain_size = strlen(content);
	header.size = ZSTD_compress(bytes, sizeof(bytes), content, strlen(content), 3);
	str_add_bytes(ir, &header, sizeof(header));
	str_add_bytes(ir, bytes, header.size);
	while (ir->length % 8)
		str_add_char(ir, 0);
}

static void expect_error(const struct str *ir, const char *text)
{
	struct blobs *blobs;
	struct hence_error *error;

	write_elf(ir);
	error = blobs_open(path, &blobs);
	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, path));
	assert_non_null(strstr(error->message, text));
	error_destroy(error);
}

static void check_content(const struct blobs *blobs, uint8_t name, const char *content)
{
	uint8_t hash[16] = {name}, *bytes;
	const struct blob *blob = blobs_find(blobs, hash);
	size_t size;

	assert_non_null(blob);
	assert_null(blobs_bitcode(blobs, blob, &bytes, &size));
	assert_int_equal(size, strlen(content));
	assert_memory_equal(bytes, content, size);
	free(bytes);
}

static void test_blobs(void **state)
{
	static const char padding[24];
	struct str ir = STR_INIT;
	uint8_t none[16] = {77}, hash[16], zeros[16] = {0};
	struct blobs *blobs;

	add_blob(&ir, 1, "first module", HENCE_PROTOCOL);
	str_add_bytes(&ir, padding, sizeof(padding));
	add_blob(&ir, 2, "second", HENCE_PROTOCOL);
	write_elf(&ir);
	assert_null(blobs_open(path, &blobs));
	assert_true(blobs_instrumented(blobs));
	assert_int_equal(blobs_count(blobs), 2);
	assert_int_equal(blobs_at(blobs, 1)->header.hash[0], 2);
	check_content(blobs, 1, "first module");
	check_content(blobs, 2, "second");
	assert_null(blobs_find(blobs, none));
	blobs_build_hash(blobs, hash);
	assert_memory_not_equal(hash, zeros, 16);
	blobs_close(blobs);
	str_deinit(&ir);
}

static void test_no_section(void **state)
{
	struct str ir = STR_INIT;
	struct blobs *blobs;

	write_elf(&ir);
	assert_null(blobs_open(path, &blobs));
	assert_int_equal(blobs_count(blobs), 0);
	blobs_close(blobs);
}

static void test_other_protocol(void **state)
{
	struct str ir = STR_INIT, message = STR_INIT;

	add_blob(&ir, 1, "x", HENCE_PROTOCOL + 6);
	str_printf(&message,
	           "was built by another version of hence (protocol %u, this one has %u); rebuild "
	           "it with this hence cc",
	           HENCE_PROTOCOL + 6, HENCE_PROTOCOL);
	expect_error(&ir, str_text(&message));
	str_deinit(&message);
	str_deinit(&ir);
}

static void test_corrupt(void **state)
{
	struct str ir = STR_INIT;
	size_t whole;

	add_blob(&ir, 1, "some content", HENCE_PROTOCOL);
	whole = ir.length;
	ir.length = sizeof(struct hence_ir_header) + 3;
	expect_error(&ir, "is corrupt (it ends inside a module)");
	ir.length = sizeof(struct hence_ir_header) - 1;
	expect_error(&ir, "is corrupt (it ends inside a header)");
	ir.length = whole;
	ir.text[3] ^= 1;
	expect_error(&ir, "is corrupt (a module does not begin");
	str_deinit(&ir);
}

static void test_bad_frames(void **state)
{
	struct str ir = STR_INIT;
	struct hence_error *error;
	struct blobs *blobs;
	uint8_t *bytes;
	size_t size;

	/* Each byte of the frame in turn: an error or, for a lucky one, content of the right size.
	 */
	add_blob(&ir, 1, "content that is long enough, long enough, long enough", HENCE_PROTOCOL);
	for (size_t at = sizeof(struct hence_ir_header); at < ir.length; at++) {
		ir.text[at] ^= 0x10;
		write_elf(&ir);
		assert_null(blobs_open(path, &blobs));
		error = blobs_bitcode(blobs, blobs_at(blobs, 0), &bytes, &size);
		if (!error)
			free(bytes);
		error_destroy(error);
		blobs_close(blobs);
		ir.text[at] ^= 0x10;
	}
	str_deinit(&ir);
	/* A header that promises another size. */
	add_blob(&ir, 1, "content", HENCE_PROTOCOL);
	((struct hence_ir_header *)ir.text)->plain_size = 1 << 30;
	write_elf(&ir);
	assert_null(blobs_open(path, &blobs));
	error = blobs_bitcode(blobs, blobs_at(blobs, 0), &bytes, &size);
	assert_non_null(error);
	error_destroy(error);
	blobs_close(blobs);
	str_deinit(&ir);
}

static void test_not_elf(void **state)
{
	struct hence_error *error;
	struct blobs *blobs;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, "#!/bin/sh\n", 10), 10);
	close(fd);
	error = blobs_open(path, &blobs);
	assert_non_null(error);
	error_destroy(error);
	error = blobs_open("/nonexistent", &blobs);
	assert_non_null(error);
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blobs),          cmocka_unit_test(test_no_section),
		cmocka_unit_test(test_other_protocol), cmocka_unit_test(test_corrupt),
		cmocka_unit_test(test_bad_frames),     cmocka_unit_test(test_not_elf),
	};
	int failed;

	close(mkstemp(path));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
