/*
 * Evaluation against compiled code: each operation of the table, on each type, is compiled by the
 * code generator as `hence cc` runs it, called with chosen and random operands, and must give what
 * eval_run() gives, bit for bit.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "eval_operands.h"

#define RUNS 400

typedef void function(void *result, const void *a, const void *b, const void *c);

static char folder[] = "/tmp/hence-unit-XXXXXX";
static LLVMModuleRef module;
static LLVMTargetDataRef layout;
static void *library;

/* --- compiling --- */

/* libgcc has no functions for bfloat before version 13. The nearest of all that are not larger and
   the next one; written unlike the evaluator's, so that the two do not share a mistake. */
static const char bfloat_source[] =
	"#include <math.h>\n#include <string.h>\n"
	"static float value(unsigned b) { float f; b <<= 16; memcpy(&f, &b, 4); return f; }\n"
	"static _Float16 pack(unsigned b) { _Float16 h; unsigned short s = b; memcpy(&h, &s, 2);"
	" return h; }\n"
	"_Float16 __truncdfbf2(double x) {\n"
	"  unsigned low = 0, high = 0x7f80, sign = signbit(x) ? 0x8000 : 0;\n"
	"  double a = fabs(x), middle;\n"
	"  if (isnan(x)) { float f = x; unsigned b; memcpy(&b, &f, 4); return pack(b >> 16 | "
	"0x40); "
	"}\n"
	"  while (high - low > 1) { unsigned m = (low + high) / 2; if (value(m) <= a) low = m; "
	"else "
	"high = m; }\n"
	"  if (isinf(x)) return pack(0x7f80 | sign);\n"
	"  middle = high == 0x7f80 ? 0x1.ffp127 : ((double)value(low) + value(high)) / 2;\n"
	"  if (a > middle || (a == middle && (low & 1))) low = high;\n"
	"  return pack(low | sign); }\n"
	"_Float16 __truncsfbf2(float x) { return __truncdfbf2(x); }\n";

static LLVMTargetMachineRef make_machine(void)
{
	LLVMTargetRef target;
	char *message;

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	assert_false(LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, &message));
	/* As src/cc/emit.c. */
	return LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "",
	                               LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
}

static void run_command(const char *format)
{
	struct str text = STR_INIT;

	str_printf(&text, format, folder, folder, folder);
	assert_int_equal(system(str_text(&text)), 0);
	str_deinit(&text);
}

static void write_bfloat(void)
{
	struct str path = STR_INIT;
	FILE *file;

	str_printf(&path, "%s/bfloat.c", folder);
	file = fopen(str_text(&path), "w");
	assert_non_null(file);
	fputs(bfloat_source, file);
	fclose(file);
	str_deinit(&path);
}

static int set_up(void **state)
{
	struct str path = STR_INIT;
	LLVMModuleRef copy;
	LLVMTargetMachineRef machine;
	char *message = NULL;

	assert_non_null(mkdtemp(folder));
	module = make_module();
	layout = LLVMGetModuleDataLayout(module);
	machine = make_machine();
	/* The code generator changes what it compiles. */
	copy = LLVMCloneModule(module);
	str_printf(&path, "%s/table.o", folder);
	if (LLVMTargetMachineEmitToFile(machine, copy, (char *)str_text(&path), LLVMObjectFile,
	                                &message))
		fail_msg("%s", message);
	write_bfloat();
	run_command("cc -shared -fPIC -w -O1 -o %s/table.so %s/table.o %s/bfloat.c -lm");
	str_deinit(&path);
	str_printf(&path, "%s/table.so", folder);
	library = dlopen(str_text(&path), RTLD_LAZY);
	if (!library)
		fail_msg("%s", dlerror());
	LLVMDisposeModule(copy);
	LLVMDisposeTargetMachine(machine);
	str_deinit(&path);
	return 0;
}

static int tear_down(void **state)
{
	run_command("rm -rf %s");
	return 0;
}

/* --- comparing --- */

static sigjmp_buf trapped;

static void on_trap(int number)
{
	siglongjmp(trapped, 1);
}

/* False: it trapped. */
static bool call(function *f, struct slot *slots, struct slot *result)
{
	signal(SIGFPE, on_trap);
	if (sigsetjmp(trapped, 1))
		return false;
	f(result->bits, slots[0].bits, slots[1].bits, slots[2].bits);
	return true;
}

static void show(const char *name, const uint64_t *words, uint32_t count)
{
	fprintf(stderr, " %s", name);
	for (uint32_t i = count; i-- > 0;)
		fprintf(stderr, " %016llx", (unsigned long long)words[i]);
}

static uint32_t wrong;
static const struct case_ *told; /* the first failure of each is enough */

static void tell(const struct case_ *c, struct slot *slots, const struct slot *computed,
                 const struct slot *real, uint32_t words, const char *what)
{
	char name[] = "a";

	wrong++;
	if (told == c && wrong > 1)
		return;
	told = c;
	fprintf(stderr, "%s [%s] %s: %s", c->row->text, c->type,
	        c->row->features ? c->row->features : "", what);
	for (uint32_t i = 0; i < c->operands; i++, name[0]++)
		show(name, slots[i].bits, eval_type_words(layout, c->operand[i]));
	show("computed", computed->bits, words);
	show("real", real->bits, words);
	fprintf(stderr, "\n");
}

static bool is_division(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

	return opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem;
}

/* May the first operand be tame too? Not of arithmetic, where large numbers are what matters. */
static bool may_be_tame(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

	return opcode == LLVMFPToSI || opcode == LLVMFPToUI || opcode == LLVMCall;
}

/* Does the code generator swap the operands of fadd and fmul? Then two NaNs give the second. */
static bool is_swapped(const struct case_ *c)
{
	return !strcmp(c->type, "bfloat") || !strcmp(c->type, "<3 x float>") ||
	       (strstr(c->type, "half") && c->operands == 3);
}

/* One run; true: there was a result to compare. */
static bool compare(const struct case_ *c, const struct eval *eval, function *f, bool is_tame)
{
	struct slot slots[MOST_SLOTS], computed, real;
	struct eval_value operands[4], result = {computed.bits, computed.undef};
	bool is_known, returns;

	memset(slots, 0, sizeof(slots));
	memset(&computed, 0xaa, sizeof(computed));
	memset(&real, 0, sizeof(real));
	for (uint32_t i = 0; i < c->operands; i++) {
		tame = is_tame && (i > 0 || may_be_tame(c->instruction));
		may_be_nan = i == 0 || !is_swapped(c);
		put_random(layout, slots[i].bits, 0, c->operand[i]);
	}
	list_operands(c, slots, operands);
	is_known = eval_run(eval, operands, &result);
	returns = call(f, slots, &real);
	if (is_known && !returns)
		tell(c, slots, &computed, &real, eval_words(eval), "traps, but has a result");
	if (!is_known && returns && is_division(c->instruction) && !strchr(c->type, '<'))
		tell(c, slots, &computed, &real, eval_words(eval), "does not trap");
	if (!is_known || !returns)
		return false;
	for (uint32_t i = 0; i < eval_words(eval); i++)
		if ((computed.bits[i] ^ real.bits[i]) & ~computed.undef[i]) {
			tell(c, slots, &computed, &real, eval_words(eval), "differs");
			break;
		}
	return true;
}

static bool has_features(const char *features)
{
	__builtin_cpu_init();
	if (!features)
		return true;
	if (!strcmp(features, "avx512f"))
		return __builtin_cpu_supports("avx512f");
	if (!strcmp(features, "avx,f16c"))
		return __builtin_cpu_supports("avx2");
	if (!strcmp(features, "sse4.1"))
		return __builtin_cpu_supports("sse4.1");
	assert_string_equal(features, "fma");
	return __builtin_cpu_supports("fma");
}

/* Each line and type must have been computed and compared many times. */
static void test_table(void **state)
{
	struct arena arena = ARENA_INIT;
	uint64_t compared = 0;

	for (uint32_t i = 0; i < cases.size; i++) {
		const struct case_ *c = &cases.at[i];
		const struct eval *eval;
		const char *refusal = eval_prepare(layout, c->instruction, &arena, &eval);
		uint32_t count = 0;
		char name[16];

		if (refusal)
			fail_msg("%s [%s]: %s", c->row->text, c->type, refusal);
		if (!has_features(c->row->features))
			continue;
		snprintf(name, sizeof(name), "f%u", i);
		for (int run = 0; run < RUNS; run++)
			count += compare(c, eval, (function *)dlsym(library, name), run % 2);
		if (count < RUNS / 40)
			fail_msg("%s [%s]: only %u results", c->row->text, c->type, count);
		compared += count;
	}
	print_message("%u operations, %lu results compared\n", cases.size, compared);
	arena_deinit(&arena);
	assert_int_equal(wrong, 0);
}

/* --- the table is complete --- */

static const LLVMOpcode opcodes[] = {
	LLVMAdd,           LLVMSub,
	LLVMMul,           LLVMUDiv,
	LLVMSDiv,          LLVMURem,
	LLVMSRem,          LLVMShl,
	LLVMLShr,          LLVMAShr,
	LLVMAnd,           LLVMOr,
	LLVMXor,           LLVMICmp,
	LLVMFCmp,          LLVMFAdd,
	LLVMFSub,          LLVMFMul,
	LLVMFDiv,          LLVMFRem,
	LLVMFNeg,          LLVMTrunc,
	LLVMZExt,          LLVMSExt,
	LLVMFPToUI,        LLVMFPToSI,
	LLVMUIToFP,        LLVMSIToFP,
	LLVMFPTrunc,       LLVMFPExt,
	LLVMPtrToInt,      LLVMIntToPtr,
	LLVMBitCast,       LLVMAddrSpaceCast,
	LLVMSelect,        LLVMExtractValue,
	LLVMInsertValue,   LLVMExtractElement,
	LLVMInsertElement, LLVMShuffleVector,
	LLVMFreeze,
};

/* As in src/model/plan.c, but for stacksave, which has no result to compare. */
static const char *const intrinsics[] = {
	"abs.",
	"bitreverse.",
	"bswap.",
	"ceil.",
	"copysign.",
	"ctlz.",
	"ctpop.",
	"cttz.",
	"expect.",
	"fabs.",
	"floor.",
	"fmuladd.",
	"fshl.",
	"fshr.",
	"rint.",
	"is.constant.",
	"launder.",
	"objectsize.",
	"round.",
	"smax.",
	"smin.",
	"sqrt.",
	"trunc.",
	"umax.",
	"umin.",
	"sadd.sat.",
	"ssub.sat.",
	"uadd.sat.",
	"usub.sat.",
	"sadd.with.overflow.",
	"ssub.with.overflow.",
	"smul.with.overflow.",
	"uadd.with.overflow.",
	"usub.with.overflow.",
	"umul.with.overflow.",
};

static bool has_opcode(LLVMOpcode opcode)
{
	for (uint32_t i = 0; i < cases.size; i++)
		if (LLVMGetInstructionOpcode(cases.at[i].instruction) == opcode)
			return true;
	return false;
}

static bool has_intrinsic(const char *prefix)
{
	for (uint32_t i = 0; i < cases.size; i++) {
		const char *name = ir_intrinsic(cases.at[i].instruction);

		if (name && !strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}

static void test_complete(void **state)
{
	for (size_t i = 0; i < COUNT(opcodes); i++)
		if (!has_opcode(opcodes[i]))
			fail_msg("opcode %d is not in the table", (int)opcodes[i]);
	for (size_t i = 0; i < COUNT(intrinsics); i++)
		if (!has_intrinsic(intrinsics[i]))
			fail_msg("%s is not in the table", intrinsics[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
