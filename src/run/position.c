/* From addresses to source positions: see position.h. */
#include "run/position.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Programs made by hence cc carry their debug information; looking for more would search the disk
   or even ask a server. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **out)
{
	return -1;
}

static const Dwfl_Callbacks of_file = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static const Dwfl_Callbacks of_live_process = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = find_no_debuginfo,
};

Dwfl *position_begin(bool of_process)
{
	return dwfl_begin(of_process ? &of_live_process : &of_file);
}

/* libdw puts the folder of the compilation in front of what the compiler was given. */
static const char *without_folder(const char *file, const char *folder)
{
	size_t length = folder ? strlen(folder) : 0;

	if (length && !strncmp(file, folder, length) && file[length] == '/')
		return file + length + 1;
	return file;
}

/* The compilation unit of an address. dwfl_module_addrdie() would need .debug_aranges, which clang
   does not write. */
static Dwarf_Die *find_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
	for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, bias));)
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

/* The function around an address; NULL: none that has a name. The nearest symbol before it may be
   far away, in a stripped library. */
static const char *find_function(Dwfl_Module *module, uint64_t address)
{
	GElf_Off offset;
	GElf_Sym symbol;
	const char *name =
		dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);

	if (!name || offset >= symbol.st_size || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
		return NULL;
	return name;
}

void position_in_module(Dwfl_Module *module, uint64_t address, struct place *out)
{
	const char *elf = NULL;
	const char *function = find_function(module, address);

	*out = (struct place){0};
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &elf, NULL);
	if (elf)
		out->elf = mem_strdup(elf);
	if (function)
		out->function = mem_strdup(function);

	Dwarf_Addr bias;
	Dwarf_Die *unit = find_unit(module, address, &bias);
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	Dwarf_Attribute folder;
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;

	/* Line 0 marks code that belongs to no line. */
	if (!file || dwarf_lineno(line, &out->line) || !out->line)
		return;
	dwarf_linecol(line, &out->column);
	file = without_folder(file, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &folder)));
	out->file = mem_strdup(file);
}

struct hence_error *position_find(const char *elf, uint64_t address, struct place *out)
{
	struct hence_error *error = NULL;
	Dwfl *dwfl = position_begin(false);
	Dwfl_Module *module = NULL;
	GElf_Addr bias = 0;

	if (!dwfl)
		return error_create(HENCE_ERROR_INTERNAL, "libdw: %s", dwfl_errmsg(-1));
	/* Add the file at 0, so that addresses are those of the file. */
	if (access(elf, R_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", elf);
	else if (!(module = dwfl_report_elf(dwfl, elf, elf, -1, 0, false)))
		error = error_create(HENCE_ERROR_INPUT, "cannot read %s: %s", elf, dwfl_errmsg(-1));
	dwfl_report_end(dwfl, NULL, NULL);
	if (!error) {
		dwfl_module_getelf(module, &bias);
		position_in_module(module, address + bias, out);
	}
	dwfl_end(dwfl);
	return error;
}
