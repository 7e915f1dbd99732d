/* Images of edited code: see image.h. */
#include "edit/image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BASE  0x600000000000ull /* where programs and the kernel put nothing by themselves */
#define PAGE  4096ull
#define ALIGN 64ull

/* A symbol that the object does not define, with what was made for it. */
struct outer {
	bool known;
	bool runtime; /* its address is filled in when the image is loaded */
	uint32_t symbol;
	uint64_t address;
	uint64_t slot; /* offset of a word that holds its address; 0: none */
	uint64_t stub; /* offset of a jump to it; 0: none */
};

struct link {
	const struct program_module *module;
	const uint8_t *object;
	size_t size;
	const Elf64_Shdr *sections;
	uint32_t section_count;
	const char *section_names;
	const Elf64_Sym *symbols;
	uint64_t symbol_count;
	const char *names;
	size_t names_size;
	uint64_t *offsets;    /* of sections in the part; UINT64_MAX: not loaded */
	struct outer *outers; /* by symbol */
	struct str bytes;
	uint64_t base;
	VEC(struct hence_image_fixup) fixups;
};

static const char *const runtime_names[HENCE_SYMBOLS] = {
	[HENCE_SYMBOL_head] = "hence_rt_head",
	[HENCE_SYMBOL_args] = "hence_rt_args",
	[HENCE_SYMBOL_result] = "hence_rt_result",
	[HENCE_SYMBOL_full] = "hence_rt_full",
	[HENCE_SYMBOL_enter] = "hence_rt_enter",
	[HENCE_SYMBOL_leave] = "hence_rt_leave",
	[HENCE_SYMBOL_before] = "hence_rt_before",
	[HENCE_SYMBOL_before_indirect] = "hence_rt_before_indirect",
	[HENCE_SYMBOL_after] = "hence_rt_after",
	[HENCE_SYMBOL_again] = "hence_rt_again",
	[HENCE_SYMBOL_main_count] = "hence_rt_main_count",
	[HENCE_SYMBOL_main_words] = "hence_rt_main_words",
	[HENCE_SYMBOL_main_environment] = "hence_rt_main_environment",
	[HENCE_SYMBOL_sigaction] = "hence_rt_sigaction",
	[HENCE_SYMBOL_signal] = "hence_rt_signal",
	[HENCE_SYMBOL_tmpfile] = "hence_rt_tmpfile",
	[HENCE_SYMBOL_memcpy] = "memcpy",
	[HENCE_SYMBOL_memmove] = "memmove",
	[HENCE_SYMBOL_memset] = "memset",
	[HENCE_SYMBOL_module] = IMAGE_MODULE,
	[HENCE_SYMBOL_imports] = IMAGE_IMPORTS,
	[HENCE_SYMBOL_scouts] = IMAGE_SCOUTS,
	[HENCE_SYMBOL_choose] = IMAGE_CHOOSE,
	[HENCE_SYMBOL_safe] = IMAGE_SAFE,
#define X(name) [HENCE_SYMBOL_##name] = #name,
	HENCE_IMAGE_FUNCTIONS(X)
#undef X
};

static struct hence_error *damaged(void)
{
	return error_create(HENCE_ERROR_INTERNAL, "the code generator's object cannot be read");
}

/* --- reading the object --- */

static struct hence_error *read_object(struct link *l)
{
	const Elf64_Ehdr *head = (const void *)l->object;

	if (l->size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_shoff + head->e_shnum * sizeof(Elf64_Shdr) > l->size)
		return damaged();
	l->sections = (const void *)(l->object + head->e_shoff);
	l->section_count = head->e_shnum;
	l->section_names = (const char *)l->object + l->sections[head->e_shstrndx].sh_offset;
	for (uint32_t i = 0; i < l->section_count; i++) {
		const Elf64_Shdr *s = &l->sections[i];

		if (s->sh_type != SHT_NOBITS && s->sh_offset + s->sh_size > l->size)
			return damaged();
		if (s->sh_type != SHT_SYMTAB)
			continue;
		l->symbols = (const void *)(l->object + s->sh_offset);
		l->symbol_count = s->sh_size / sizeof(*l->symbols);
		l->names = (const char *)l->object + l->sections[s->sh_link].sh_offset;
		l->names_size = l->sections[s->sh_link].sh_size;
	}
	return l->symbols ? NULL : damaged();
}

static const char *name_of(const struct link *l, const Elf64_Sym *symbol)
{
	return symbol->st_name < l->names_size ? l->names + symbol->st_name : "";
}

/* --- layout --- */

static uint64_t append(struct link *l, const void *bytes, size_t size, uint64_t align)
{
	static const char zero[ALIGN];
	uint64_t at;

	align = align > ALIGN ? ALIGN : align ? align : 1;
	str_add_bytes(&l->bytes, zero, (size_t)(-l->bytes.length & (align - 1)));
	at = l->bytes.length;
	if (bytes)
		str_add_bytes(&l->bytes, bytes, size);
	else
		for (size_t done = 0; done < size; done += sizeof(zero))
			str_add_bytes(&l->bytes, zero,
			              size - done < sizeof(zero) ? size - done : sizeof(zero));
	return at;
}

/* --- symbols --- */

static bool number_after(const char *name, const char *prefix, uint64_t *number)
{
	size_t length = strlen(prefix);
	char *end;

	if (strncmp(name, prefix, length) || !name[length])
		return false;
	*number = strtoull(name + length, &end, 10);
	return !*end;
}

/* Finds where an outer symbol is. One that nobody knows is at 0: code that the run does not reach may need it. */
static void resolve(struct link *l, uint32_t symbol)
{
	struct outer *outer = &l->outers[symbol];
	const struct program_module *m = l->module;
	const char *name = name_of(l, &l->symbols[symbol]);
	uint64_t n;

	if (outer->known)
		return;
	outer->known = true;
	for (uint32_t i = 0; i < HENCE_SYMBOLS; i++)
		if (!strcmp(runtime_names[i], name)) {
			outer->runtime = true;
			outer->symbol = i;
			return;
		}
	if (number_after(name, "hence.f", &n) && n < m->plan->functions.size)
		outer->address = m->addresses[n];
	else if (number_after(name, "hence.g", &n) && n < m->plan->globals.size)
		outer->address = m->addresses[m->plan->functions.size + n];
	else if (number_after(name, "hence.i", &n) && n < m->plan->imports.size)
		outer->address = m->addresses[m->imports + n];
}

static bool is_outer(const Elf64_Sym *symbol)
{
	return symbol->st_shndx == SHN_UNDEF;
}

/* The address of a symbol of the object; 0: it is not loaded. */
static uint64_t inner_address(const struct link *l, const Elf64_Sym *symbol)
{
	if (symbol->st_shndx >= l->section_count || l->offsets[symbol->st_shndx] == UINT64_MAX)
		return 0;
	return l->base + l->offsets[symbol->st_shndx] + symbol->st_value;
}

static void fix(struct link *l, uint64_t at, uint32_t symbol, int64_t addend)
{
	*vec_push(&l->fixups) =
		(struct hence_image_fixup){.at = l->base + at, .symbol = symbol, .addend = addend};
}

/* A word with the address, for code that takes addresses from a table. */
static uint64_t slot_of(struct link *l, uint32_t number)
{
	struct outer *outer = &l->outers[number];
	uint64_t address = outer->address;

	if (!is_outer(&l->symbols[number]))
		address = inner_address(l, &l->symbols[number]);
	if (!outer->slot) {
		outer->slot = append(l, &address, 8, 8);
		if (outer->runtime)
			fix(l, outer->slot, outer->symbol, 0);
	}
	return outer->slot;
}

/* A jump through that word. */
static uint64_t stub_of(struct link *l, uint32_t number)
{
	uint64_t slot = slot_of(l, number);
	struct outer *outer = &l->outers[number];
	uint8_t code[6] = {0xff, 0x25};
	int32_t distance;

	if (outer->stub)
		return outer->stub;
	outer->stub = append(l, code, 6, 8);
	distance = (int32_t)(slot - (outer->stub + 6));
	memcpy(l->bytes.text + outer->stub + 2, &distance, 4);
	return outer->stub;
}

/* --- relocations --- */

static struct hence_error *relocate(struct link *l, uint64_t at, const Elf64_Rela *r)
{
	uint32_t number = (uint32_t)ELF64_R_SYM(r->r_info),
		 type = (uint32_t)ELF64_R_TYPE(r->r_info);
	const Elf64_Sym *symbol;
	uint64_t target;
	bool outer;
	int64_t distance;
	int32_t half;

	if (number >= l->symbol_count || at + 8 > l->bytes.length + 4)
		return damaged();
	symbol = &l->symbols[number];
	outer = is_outer(symbol);
	if (outer)
		resolve(l, number);
	switch (type) {
	case R_X86_64_64:
		target = (outer ? l->outers[number].address : inner_address(l, symbol)) +
		         (uint64_t)r->r_addend;
		if (outer && l->outers[number].runtime)
			fix(l, at, l->outers[number].symbol, r->r_addend);
		memcpy(l->bytes.text + at, &target, 8);
		return NULL;
	case R_X86_64_PLT32:
	case R_X86_64_PC32:
		target = outer ? l->base + stub_of(l, number) : inner_address(l, symbol);
		if (outer && type == R_X86_64_PC32)
			return error_create(HENCE_ERROR_INTERNAL,
			                    "edited code takes the address of %s directly",
			                    name_of(l, symbol));
		break;
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
	case R_X86_64_GOTTPOFF: target = l->base + slot_of(l, number); break;
	default:
		return error_create(HENCE_ERROR_INTERNAL, "edited code has a relocation of type %u",
		                    type);
	}
	distance = (int64_t)(target + (uint64_t)r->r_addend - (l->base + at));
	half = (int32_t)distance;
	if (half != distance)
		return error_create(HENCE_ERROR_INTERNAL, "edited code is too far away");
	memcpy(l->bytes.text + at, &half, 4);
	return NULL;
}

static uint64_t find_symbol(const struct link *l, const char *name)
{
	for (uint64_t i = 0; i < l->symbol_count; i++)
		if (!is_outer(&l->symbols[i]) && !strcmp(name_of(l, &l->symbols[i]), name))
			return inner_address(l, &l->symbols[i]);
	return 0;
}

/* --- sites --- */

/* The section has a header, then entries: offsets within one section of code, which the assembler knows, or has left to
   us where functions have sections of their own. */
static void read_sites(const struct link *l, struct image *image)
{
	for (uint32_t i = 0; i < l->section_count; i++) {
		const Elf64_Shdr *s = &l->sections[i];
		const struct hence_site_entry *list;

		if (strcmp(l->section_names + s->sh_name, HENCE_POINTS_SECTION) ||
		    s->sh_type != SHT_PROGBITS || s->sh_size < sizeof(struct hence_points_header))
			continue;
		list = (const void *)(l->object + s->sh_offset +
		                      sizeof(struct hence_points_header));
		for (uint64_t n = 0;
		     n < (s->sh_size - sizeof(struct hence_points_header)) / sizeof(*list); n++)
			*vec_push(&image->sites) = list[n];
	}
}

/* --- for debuggers --- */

/* --- the image --- */

static uint64_t put(struct str *file, const void *bytes, size_t size)
{
	static const char zero[16];
	uint64_t at;

	str_add_bytes(file, zero, (size_t)(-file->length & 15));
	at = file->length;
	str_add_bytes(file, bytes, size);
	return at;
}

static struct hence_error *add(struct image *image, struct link *l, struct image_entry *entries,
                               uint32_t count, const struct hence_image_poke *pokes,
                               uint32_t poke_count)
{
	struct hence_image_part part = {.base = l->base,
	                                .selector = find_symbol(l, IMAGE_SELECTOR),
	                                .fixup_count = l->fixups.size,
	                                .entry_count = count,
	                                .poke_count = poke_count,
	                                .byte_size = l->bytes.length};
	VEC(struct hence_image_entry) list = VEC_INIT;

	for (uint32_t i = 0; i < count; i++) {
		entries[i].address = find_symbol(l, entries[i].name);
		if (!entries[i].address)
			break;
		*vec_push(&list) = (struct hence_image_entry){.function = entries[i].function,
		                                              .address = entries[i].address};
	}
	if (!part.selector || list.size < count) {
		vec_deinit(&list);
		return damaged();
	}
	memcpy(part.hash, l->module->hash, 16);
	part.first_function = count ? entries[0].function : 0;
	part.first_address = l->module->addresses[part.first_function];
	part.size = (l->bytes.length + PAGE - 1) & ~(PAGE - 1);
	part.bytes = put(&image->file, l->bytes.text, l->bytes.length);
	part.fixups = put(&image->file, l->fixups.at, l->fixups.size * sizeof(*l->fixups.at));
	part.entries = put(&image->file, list.at, list.size * sizeof(*list.at));
	part.pokes = put(&image->file, pokes, poke_count * sizeof(*pokes));
	vec_deinit(&list);
	image->code = count ? entries[0].address : 0;
	image->sites.size = 0;
	read_sites(l, image);
	if (image->debug) {
		/* The frames are not loaded; they get an address after the part, near enough to refer to its code. */
		struct str *out = &image->symbols;
		const Elf64_Ehdr *head = (const void *)l->object;
		Elf64_Shdr *sections;

		str_deinit(out);
		str_add_bytes(out, (const char *)l->object, l->size);
		sections = (void *)(out->text + head->e_shoff);
		for (uint32_t i = 0; i < l->section_count; i++)
			if (l->offsets[i] != UINT64_MAX)
				sections[i].sh_addr = l->base + l->offsets[i];
			else if (sections[i].sh_flags & SHF_ALLOC)
				sections[i].sh_addr =
					l->base + ((l->bytes.length + PAGE - 1) & ~(PAGE - 1));
	}
	*vec_push(&image->parts) = part;
	image->next = part.base + part.size + PAGE;
	return NULL;
}

struct hence_error *image_add(struct image *image, const struct program_module *module,
                              const void *object, size_t size, struct image_entry *entries,
                              uint32_t entry_count, const struct hence_image_poke *pokes,
                              uint32_t poke_count)
{
	struct link l = {.module = module,
	                 .object = object,
	                 .size = size,
	                 .base = image->next ? image->next : BASE};
	struct hence_error *error = read_object(&l);

	if (error)
		return error;
	l.offsets = mem_alloc(l.section_count * sizeof(*l.offsets));
	l.outers = mem_alloc(l.symbol_count * sizeof(*l.outers));
	/* Code first, on pages of its own: who stops at a site makes its page read-only. */
	for (uint32_t i = 0; i < l.section_count; i++)
		l.offsets[i] = UINT64_MAX;
	for (int data = 0; data < 2; data++) {
		for (uint32_t i = 0; i < l.section_count; i++) {
			const Elf64_Shdr *s = &l.sections[i];
			const char *name = l.section_names + s->sh_name;

			if (!(s->sh_flags & SHF_ALLOC) || !strcmp(name, ".eh_frame") ||
			    (s->sh_flags & SHF_EXECINSTR ? 0 : 1) != data)
				continue;
			l.offsets[i] = append(
				&l, s->sh_type == SHT_NOBITS ? NULL : l.object + s->sh_offset,
				s->sh_size, s->sh_addralign);
		}
		if (!data)
			append(&l, NULL, (size_t)(-l.bytes.length & (PAGE - 1)), 1);
	}

	for (uint32_t i = 0; i < l.section_count && !error; i++) {
		const Elf64_Shdr *s = &l.sections[i];
		const Elf64_Rela *list = (const void *)(l.object + s->sh_offset);

		if (s->sh_type != SHT_RELA || s->sh_info >= l.section_count ||
		    l.offsets[s->sh_info] == UINT64_MAX)
			continue;
		for (uint64_t k = 0; k < s->sh_size / sizeof(*list) && !error; k++)
			error = relocate(&l, l.offsets[s->sh_info] + list[k].r_offset, &list[k]);
	}
	if (!error)
		error = add(image, &l, entries, entry_count, pokes, poke_count);
	free(l.offsets);
	free(l.outers);
	str_deinit(&l.bytes);
	vec_deinit(&l.fixups);
	return error;
}

struct hence_error *image_write(const struct image *image, const char *path)
{
	struct hence_image head = {.protocol = HENCE_PROTOCOL, .parts = image->parts.size};
	uint64_t skip = sizeof(head) + image->parts.size * sizeof(*image->parts.at);
	FILE *file = fopen(path, "we");
	bool good = file;

	skip = (skip + 15) & ~15ull;
	memcpy(head.magic, HENCE_IMAGE_MAGIC, 8);
	good = good && fwrite(&head, sizeof(head), 1, file) == 1;
	for (uint32_t i = 0; i < image->parts.size && good; i++) {
		struct hence_image_part part = image->parts.at[i];

		part.bytes += skip;
		part.fixups += skip;
		part.entries += skip;
		part.pokes += skip;
		good = fwrite(&part, sizeof(part), 1, file) == 1;
	}
	good = good && !fseek(file, (long)skip, SEEK_SET) &&
	       fwrite(str_text(&image->file), 1, image->file.length, file) == image->file.length;
	if (file && fclose(file))
		good = false;
	return good ? NULL : error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
}

void image_deinit(struct image *image)
{
	str_deinit(&image->file);
	vec_deinit(&image->parts);
	vec_deinit(&image->sites);
	str_deinit(&image->symbols);
}
