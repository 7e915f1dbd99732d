/* What eval_prepare() refuses and with which words, what eval_run() has no result for, and how
   large types are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "eval_operands.h"

static LLVMModuleRef module;
static LLVMTargetDataRef layout;

static int set_up(void **state)
{
	module = make_module();
	layout = LLVMGetModuleDataLayout(module);
	return 0;
}

/* The instruction, in a module of its own. Caller frees with forget(). */
static LLVMValueRef parse_instruction(const char *body)
{
	struct str text = STR_INIT;
	LLVMModuleRef parsed;
	LLVMValueRef result;

	str_printf(&text,
	           "%%opaque = type opaque\n@global = external global i32\n"
	           "define void @f(i32 %%i, i256 %%w, <2 x i32> %%v, ptr %%p, x86_fp80 %%e, "
	           "<vscale x 4 x i32> %%s) {\n  %%x = %s\n  ret void\n}\n",
	           body);
	parsed = parse(str_text(&text));
	result = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetNamedFunction(parsed, "f")));
	str_deinit(&text);
	return result;
}

static void forget(LLVMValueRef instruction)
{
	LLVMModuleRef parsed =
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
	LLVMContextRef context = LLVMGetModuleContext(parsed);

	LLVMDisposeModule(parsed);
	LLVMContextDispose(context);
}

static void test_refused(void **state)
{
	static const char *const refused[][2] = {
		{"mul i256 %w, %w", "mul of i256"},
		{"udiv i256 %w, %w", "udiv of i256"},
		{"uitofp i256 %w to double", "uitofp of i256"},
		{"getelementptr i8, ptr %p, i32 %i", "getelementptr of ptr"},
		{"load i32, ptr %p", "load of ptr"},
		{"call i32 @llvm.smul.fix.i32(i32 %i, i32 %i, i32 3)", "llvm.smul.fix.i32 of i32"},
		{"call double @llvm.pow.f64(double 1.0, double 2.0)", "llvm.pow.f64 of double"},
		{"call i64 @llvm.objectsize.i64.p0(ptr @global, i1 0, i1 1, i1 0)",
	         "llvm.objectsize.i64.p0 of i64"},
		{"insertelement <2 x x86_fp80> poison, x86_fp80 %e, i32 0",
	         "insertelement of <2 x x86_fp80>"},
		{"add <vscale x 4 x i32> %s, %s", "add of <vscale x 4 x i32>"},
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < COUNT(refused); i++) {
		LLVMValueRef instruction = parse_instruction(refused[i][0]);
		const struct eval *eval;
		const char *text = eval_prepare(layout, instruction, &arena, &eval);

		assert_non_null(text);
		assert_string_equal(text, refused[i][1]);
		forget(instruction);
	}
	arena_deinit(&arena);
}

/* No instruction computes these: the code generator takes them for what cannot happen. */
static void test_unknown(void **state)
{
	static const char *const unknown[] = {
		"shl i32 %i, 32",
		"ashr i32 %i, 40",
		"sdiv i32 %i, 0",
		"extractelement <2 x i32> %v, i32 2",
		"call i32 @llvm.ctlz.i32(i32 %i, i1 true)",
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < COUNT(unknown); i++) {
		LLVMValueRef instruction = parse_instruction(unknown[i]);
		struct case_ c = {.instruction = instruction};
		struct slot slots[MOST_SLOTS] = {0}, computed;
		struct eval_value operands[4], result = {computed.bits, computed.undef};
		const struct eval *eval;

		assert_null(eval_prepare(layout, instruction, &arena, &eval));
		list_operands(&c, slots, operands);
		assert_false(eval_run(eval, operands, &result));
		assert_int_equal(computed.bits[0], 0);
		assert_int_equal(computed.undef[0], 0xffffffff);
		forget(instruction);
	}
	arena_deinit(&arena);
}

static void test_words(void **state)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef wide = LLVMIntTypeInContext(context, 65);

	assert_int_equal(eval_type_words(layout, LLVMInt1TypeInContext(context)), 1);
	assert_int_equal(eval_type_words(layout, wide), 2);
	assert_int_equal(eval_type_words(layout, LLVMX86FP80TypeInContext(context)), 2);
	assert_int_equal(eval_type_words(layout, LLVMArrayType2(wide, 3)), 6);
	assert_int_equal(eval_type_words(layout, LLVMVoidTypeInContext(context)), UINT32_MAX);
	assert_int_equal(
		eval_type_words(layout, LLVMVectorType(LLVMX86FP80TypeInContext(context), 2)),
		UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
