/* Sites in the code: see points.h. */
#include "cc/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "runtime/protocol.h"

struct points {
	const struct plan *plan;
	const struct plan_function *function;
	LLVMContextRef context;
	LLVMTypeRef i32;
	char *name; /* of the function, as assembly writes it */
};

static void add_bytes(struct str *text, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++)
		str_printf(text, "%s%u", i ? "," : ".byte ", at[i]);
	str_add(text, "\n");
}

struct points *points_create(const struct plan *plan, const uint8_t hash[16])
{
	struct points *p = mem_alloc(sizeof(*p));

	p->plan = plan;
	p->context = LLVMGetModuleContext(plan->module);
	p->i32 = LLVMInt32TypeInContext(p->context);

	struct hence_points_header header = {.protocol = HENCE_PROTOCOL};
	struct str text = STR_INIT;

	memcpy(header.magic, HENCE_POINTS_MAGIC, sizeof(header.magic));
	memcpy(header.hash, hash, sizeof(header.hash));
	str_add(&text, "\n.pushsection " HENCE_POINTS_SECTION ",\"\",@progbits\n.p2align 2\n");
	add_bytes(&text, &header, sizeof(header));
	str_add(&text, ".popsection\n");
	LLVMAppendModuleInlineAsm(plan->module, str_text(&text), text.length);
	str_deinit(&text);

	return p;
}

void points_destroy(struct points *points)
{
	if (!points)
		return;
	free(points->name);
	free(points);
}

/* In quotes, since assembly may call functions anything; $ is LLVM's escape in inline assembly. */
static char *quote(const char *name)
{
	struct str s = STR_INIT;

	if (*name == '\1')
		name++;
	str_add_char(&s, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			str_add_char(&s, '\\');
		if (*name == '$')
			str_add_char(&s, '$');
		str_add_char(&s, *name);
	}
	str_add_char(&s, '"');
	return str_steal(&s);
}

/* `number` is the operand that holds the number of the site. The label is one that people will not
   have in assembly of their own. */
static LLVMValueRef assembly(struct points *p, LLVMTypeRef type, const char *constraints,
                             unsigned number)
{
	struct str text = STR_INIT;
	LLVMValueRef result;

	str_add(&text, "39107:\n");
	add_bytes(&text, HENCE_SITE_NOP, HENCE_SITE_NOP_SIZE);
	str_printf(&text,
	           ".pushsection " HENCE_POINTS_SECTION ",\"\",@progbits\n"
	           ".long ${%u:c},39107b-%s\n.popsection",
	           number, p->name);
	result = LLVMGetInlineAsm(type, str_text(&text), text.length, (char *)constraints,
	                          strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
	str_deinit(&text);
	return result;
}

static LLVMValueRef number_of(struct points *p, enum hence_site_kind kind, uint32_t block,
                              uint32_t statement)
{
	uint32_t number = plan_site(p->function, block, statement, kind);

	return LLVMConstInt(p->i32, (uint64_t)kind << 30 | number, false);
}

static void add_statement(struct points *p, LLVMBuilderRef b, uint32_t block, uint32_t statement)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), &p->i32, 1, false);
	LLVMValueRef number = number_of(p, HENCE_SITE_STATEMENT, block, statement);

	LLVMBuildCall2(b, type, assembly(p, type, "i,~{memory}", 0), &number, 1, "");
}

void points_begin(struct points *p, LLVMBuilderRef b, uint32_t function, bool sites)
{
	p->function = &p->plan->functions.at[function];
	free(p->name);
	p->name = quote(p->function->name);

	/* What stops at a site pushes on the stack: no red zone. */
	unsigned kind = LLVMGetEnumAttributeKindForName("noredzone", 9);

	LLVMAddAttributeAtIndex(p->function->function,
	                        (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(p->context, kind, 0));

	for (uint32_t i = 0; i < p->function->blocks.size && sites; i++) {
		const struct plan_block *of = &p->function->blocks.at[i];

		for (uint32_t s = 0; s < of->statements; s++) {
			LLVMValueRef begin =
				p->function->statements.at[of->first_statement + s].begin;

			LLVMPositionBuilderBefore(b, begin);
			LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(begin));
			add_statement(p, b, i, s);
		}
	}
	LLVMSetCurrentDebugLocation2(b, NULL);
}

bool points_takes(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return (kind == LLVMPointerTypeKind && !LLVMGetPointerAddressSpace(type)) ||
	       (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

/* The type that has the value in a register. */
static LLVMTypeRef register_type(struct points *p, LLVMTypeRef type)
{
	unsigned width, room = 8;

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return type;
	width = LLVMGetIntTypeWidth(type);
	while (room < width)
		room *= 2;
	return LLVMIntTypeInContext(p->context, room);
}

LLVMValueRef points_value(struct points *p, LLVMBuilderRef b, enum hence_site_kind kind,
                          uint32_t block, uint32_t statement, LLVMValueRef value,
                          LLVMValueRef *taker)
{
	LLVMTypeRef own = LLVMTypeOf(value), in = register_type(p, own);
	LLVMTypeRef types[] = {in, p->i32}, type = LLVMFunctionType(in, types, 2, false);
	LLVMValueRef args[] = {value, number_of(p, kind, block, statement)}, result;

	if (in != own)
		args[0] = LLVMBuildZExt(b, value, in, "");
	result = LLVMBuildCall2(b, type, assembly(p, type, "={ax},0,i,~{memory}", 2), args, 2, "");
	*taker = in == own ? result : args[0];
	return in == own ? result : LLVMBuildTrunc(b, result, own, "");
}
