/* The tables that hence cc leaves in an object: see tables.h. */
#include "cc/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "runtime/protocol.h"

struct tables {
	const struct plan *plan;
	LLVMContextRef context;
	LLVMTypeRef i8, i32, i64, ptr;
	LLVMTypeRef import_type;
	LLVMValueRef imports;
	LLVMValueRef module;
};

static LLVMValueRef number(struct tables *t, uint64_t value)
{
	return LLVMConstInt(t->i32, value, false);
}

/* A new variable of this object with an initial value. */
static LLVMValueRef variable(struct tables *t, const char *name, LLVMValueRef value, bool constant)
{
	LLVMValueRef global = LLVMAddGlobal(t->plan->module, LLVMTypeOf(value), name);

	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetInitializer(global, value);
	LLVMSetGlobalConstant(global, constant);
	return global;
}

static LLVMValueRef text(struct tables *t, const char *string)
{
	LLVMValueRef value =
		LLVMConstStringInContext(t->context, string, (unsigned)strlen(string), false);

	return variable(t, "hence.text", value, true);
}

static LLVMValueRef structure(struct tables *t, LLVMValueRef *fields, unsigned count)
{
	return LLVMConstStructInContext(t->context, fields, count, false);
}

static LLVMValueRef import_value(struct tables *t, LLVMValueRef name, LLVMValueRef address)
{
	/* state and special are zero: HENCE_UNKNOWN */
	LLVMValueRef fields[] = {name, address, number(t, 0), number(t, 0)};

	return structure(t, fields, 4);
}

static LLVMValueRef null(struct tables *t)
{
	return LLVMConstNull(t->ptr);
}

static LLVMValueRef global_address(struct tables *t, LLVMValueRef global)
{
	return LLVMIsThreadLocal(global) ? null(t) : global;
}

/* Addresses in the order of struct hence_rt_module. */
static LLVMValueRef build_addresses(struct tables *t)
{
	const struct plan *plan = t->plan;
	VEC(LLVMValueRef) all = VEC_INIT;
	LLVMValueRef table;

	for (uint32_t i = 0; i < plan->functions.size; i++)
		*vec_push(&all) = plan->functions.at[i].function;
	for (uint32_t i = 0; i < plan->globals.size; i++)
		*vec_push(&all) = global_address(t, plan->globals.at[i]);
	for (uint32_t i = 0; i < plan->labels.size; i++) {
		const struct plan_label *label = &plan->labels.at[i];

		*vec_push(&all) = LLVMBlockAddress(plan->functions.at[label->function].function,
		                                   label->basic_block);
	}
	for (uint32_t i = 0; i < plan->imports.size; i++)
		*vec_push(&all) = plan->imports.at[i].function;
	table = variable(t, "hence.addresses", LLVMConstArray2(t->ptr, all.at, all.size), true);
	vec_deinit(&all);
	return table;
}

static LLVMValueRef build_sizes(struct tables *t)
{
	const struct plan *plan = t->plan;
	LLVMValueRef *sizes = mem_alloc(plan->globals.size * sizeof(*sizes));
	LLVMValueRef table;

	for (uint32_t i = 0; i < plan->globals.size; i++) {
		LLVMValueRef global = plan->globals.at[i];
		LLVMTypeRef type = LLVMGlobalGetValueType(global);
		bool known = !LLVMIsDeclaration(global) && LLVMTypeIsSized(type);

		sizes[i] = LLVMConstInt(t->i64, known ? LLVMABISizeOfType(plan->layout, type) : 0,
		                        false);
	}
	table = variable(t, "hence.sizes", LLVMConstArray2(t->i64, sizes, plan->globals.size),
	                 true);
	free(sizes);
	return table;
}

static LLVMValueRef build_module(struct tables *t, const uint8_t hash[16])
{
	const struct plan *plan = t->plan;
	LLVMValueRef fields[] = {
		number(t, HENCE_PROTOCOL),
		number(t, plan->functions.size),
		number(t, plan->globals.size),
		number(t, plan->labels.size),
		number(t, plan->imports.size),
		number(t, 0),
		build_addresses(t),
		build_sizes(t),
		t->imports,
		LLVMConstStringInContext(t->context, (const char *)hash, 16, true),
	};

	return variable(t, "hence.module", structure(t, fields, 10), false);
}

/* Puts the module's address where the runtime finds it, and keeps the linker from dropping it. */
static void publish(struct tables *t)
{
	LLVMValueRef entry = variable(t, "hence.entry", t->module, false), used;
	LLVMTypeRef type = LLVMArrayType2(t->ptr, 1);

	LLVMSetSection(entry, HENCE_MODULES_SECTION);
	LLVMSetAlignment(entry, 8);
	used = LLVMGetNamedGlobal(t->plan->module, "llvm.used");
	if (used) {
		LLVMValueRef old = LLVMGetInitializer(used);
		unsigned count = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(old));
		LLVMValueRef *all = mem_alloc((count + 1) * sizeof(*all));

		for (unsigned i = 0; i < count; i++)
			all[i] = LLVMGetOperand(old, i);
		all[count] = entry;
		LLVMDeleteGlobal(used);
		type = LLVMArrayType2(t->ptr, count + 1);
		used = LLVMAddGlobal(t->plan->module, type, "llvm.used");
		LLVMSetInitializer(used, LLVMConstArray2(t->ptr, all, count + 1));
		free(all);
	} else {
		used = LLVMAddGlobal(t->plan->module, type, "llvm.used");
		LLVMSetInitializer(used, LLVMConstArray2(t->ptr, &entry, 1));
	}
	LLVMSetLinkage(used, LLVMAppendingLinkage);
	LLVMSetSection(used, "llvm.metadata");
}

struct tables *tables_create(const struct plan *plan, const uint8_t hash[16])
{
	struct tables *t = mem_alloc(sizeof(*t));
	LLVMTypeRef fields[4];

	t->plan = plan;
	t->context = LLVMGetModuleContext(plan->module);
	t->i8 = LLVMInt8TypeInContext(t->context);
	t->i32 = LLVMInt32TypeInContext(t->context);
	t->i64 = LLVMInt64TypeInContext(t->context);
	t->ptr = LLVMPointerTypeInContext(t->context, 0);
	fields[0] = fields[1] = t->ptr;
	fields[2] = fields[3] = t->i32;
	t->import_type = LLVMStructTypeInContext(t->context, fields, 4, false);

	uint32_t count = t->plan->imports.size;
	LLVMValueRef *values = mem_alloc(count * sizeof(*values));

	for (uint32_t i = 0; i < count; i++) {
		const struct plan_import *import = &t->plan->imports.at[i];

		values[i] = import_value(t, text(t, import->name), import->function);
	}
	t->imports =
		variable(t, "hence.imports", LLVMConstArray2(t->import_type, values, count), false);
	free(values);

	t->module = build_module(t, hash);
	publish(t);
	return t;
}

void tables_destroy(struct tables *tables)
{
	free(tables);
}

static uint32_t result_size(struct tables *t, LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : ir_store_size(t->plan->layout, type);
}

LLVMValueRef tables_function(struct tables *t, uint32_t function)
{
	LLVMValueRef f = t->plan->functions.at[function].function;
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f));

	/* The signature: letters of the result and of the parameters. */
	struct str s = STR_INIT;

	str_add_char(&s, ir_type_letter(result));
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		str_add_char(&s, ir_type_letter(LLVMTypeOf(LLVMGetParam(f, i))));
	char *signature = str_steal(&s);

	LLVMValueRef fields[] = {t->module, text(t, signature), number(t, function),
	                         number(t, result_size(t, result))};

	free(signature);
	return variable(t, "hence.function", structure(t, fields, 4), true);
}

LLVMValueRef tables_import(struct tables *t, uint32_t import)
{
	LLVMValueRef indices[] = {number(t, 0), number(t, import)};
	LLVMTypeRef type = LLVMArrayType2(t->import_type, t->plan->imports.size);

	return LLVMConstInBoundsGEP2(type, t->imports, indices, 2);
}

LLVMValueRef tables_cache(struct tables *t)
{
	return variable(t, "hence.cache", import_value(t, null(t), null(t)), false);
}

LLVMValueRef tables_site(struct tables *t, LLVMValueRef call, LLVMValueRef import, uint32_t record)
{
	struct str s = STR_INIT;

	str_add_char(&s, ir_type_letter(LLVMTypeOf(call)));
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		str_add_char(&s, ir_type_letter(LLVMTypeOf(LLVMGetOperand(call, i))));
	char *signature = str_steal(&s);

	LLVMValueRef fields[] = {import,
	                         text(t, signature),
	                         number(t, result_size(t, LLVMTypeOf(call))),
	                         number(t, LLVMGetNumArgOperands(call)),
	                         number(t, record),
	                         number(t, 0)};

	free(signature);
	return variable(t, "hence.site", structure(t, fields, 6), true);
}
