/* The pieces of code that instrumenting inserts: see hooks.h. */
#include "cc/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "runtime/protocol.h"
#include "runtime/runtime.h"

struct hooks {
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMBuilderRef builder; /* for the hooks' own bodies */
	LLVMTypeRef i8, i32, i64, ptr, void_;
	LLVMValueRef head, args, result;
	LLVMValueRef check;
	LLVMTypeRef check_type;
	LLVMValueRef unlikely; /* branch weights */
};

/* --- what the module must know of the runtime --- */

static LLVMValueRef declare_buffer(struct hooks *h, const char *name)
{
	LLVMValueRef buffer = LLVMAddGlobal(h->module, LLVMArrayType2(h->i8, 16), name);

	LLVMSetThreadLocalMode(buffer, LLVMInitialExecTLSModel);
	return buffer;
}

static void add_attribute(struct hooks *h, LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(h->context, kind, 0));
}

/* A slow path of the runtime, declared when first used. */
static LLVMValueRef slow_path(struct hooks *h, const char *name, LLVMTypeRef type)
{
	LLVMValueRef function = LLVMGetNamedFunction(h->module, name);

	if (function)
		return function;
	function = LLVMAddFunction(h->module, name, type);
	add_attribute(h, function, "cold");
	add_attribute(h, function, "nounwind");
	return function;
}

static LLVMValueRef call_slow(struct hooks *h, const char *name, LLVMTypeRef result,
                              LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef types[4];
	LLVMTypeRef type;

	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(args[i]);
	type = LLVMFunctionType(result, types, count, false);
	return LLVMBuildCall2(h->builder, type, slow_path(h, name, type), args, count, "");
}

/* --- building blocks --- */

static LLVMValueRef offset(struct hooks *h, LLVMBuilderRef b, LLVMValueRef base, uint64_t bytes)
{
	LLVMValueRef n = LLVMConstInt(h->i64, bytes, false);

	return bytes ? LLVMBuildInBoundsGEP2(b, h->i8, base, &n, 1, "") : base;
}

static LLVMValueRef head_word(struct hooks *h, LLVMBuilderRef b, LLVMTypeRef type, uint64_t at)
{
	return LLVMBuildLoad2(b, type, offset(h, b, h->head, at), "");
}

LLVMValueRef hooks_position(struct hooks *h, LLVMBuilderRef b)
{
	return head_word(h, b, h->ptr, offsetof(struct hence_head, cur));
}

void hooks_commit(struct hooks *h, LLVMBuilderRef b, LLVMValueRef position)
{
	LLVMBuildStore(b, position, offset(h, b, h->head, offsetof(struct hence_head, cur)));
}

/* Starts a hook named after its types; NULL in *entry when it was there already. */
static LLVMValueRef begin_hook(struct hooks *h, const char *prefix, LLVMTypeRef type,
                               LLVMBasicBlockRef *entry)
{
	char *text = LLVMPrintTypeToString(type);
	char *name = str_format("hence.%s.%s", prefix, text);
	LLVMValueRef hook = LLVMGetNamedFunction(h->module, name);

	*entry = NULL;
	if (!hook) {
		hook = LLVMAddFunction(h->module, name, type);
		LLVMSetLinkage(hook, LLVMInternalLinkage);
		add_attribute(h, hook, "alwaysinline");
		add_attribute(h, hook, "nounwind");
		*entry = LLVMAppendBasicBlockInContext(h->context, hook, "");
		LLVMPositionBuilderAtEnd(h->builder, *entry);
	}
	free(name);
	LLVMDisposeMessage(text);
	return hook;
}

/* Ends the builder's block with a branch: to a new slow block, where the builder goes, when
   `condition` holds, else to a new fast block. */
static LLVMBasicBlockRef branch_slow(struct hooks *h, LLVMValueRef hook, LLVMValueRef condition)
{
	LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(h->context, hook, "");
	LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(h->context, hook, "");
	LLVMValueRef branch = LLVMBuildCondBr(h->builder, condition, slow, fast);

	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(h->context, "prof", 4), h->unlikely);
	LLVMPositionBuilderAtEnd(h->builder, slow);
	return fast;
}

static LLVMValueRef no_room(struct hooks *h, LLVMValueRef position)
{
	LLVMValueRef end = head_word(h, h->builder, h->ptr, offsetof(struct hence_head, end));

	return LLVMBuildICmp(h->builder, LLVMIntUGT, position, end, "");
}

/* Ends a check: after the slow path the position is read again. */
static void finish_check(struct hooks *h, LLVMBasicBlockRef from, LLVMBasicBlockRef fast,
                         LLVMValueRef position)
{
	LLVMBasicBlockRef slow = LLVMGetInsertBlock(h->builder);
	LLVMValueRef values[2] = {position, hooks_position(h, h->builder)};
	LLVMBasicBlockRef blocks[2] = {from, slow};
	LLVMValueRef phi;

	LLVMBuildBr(h->builder, fast);
	LLVMPositionBuilderAtEnd(h->builder, fast);
	phi = LLVMBuildPhi(h->builder, h->ptr, "");
	LLVMAddIncoming(phi, values, blocks, 2);
	LLVMBuildRet(h->builder, phi);
}

/* Stores values into the thread's argument buffer, 16 bytes each. */
static void store_args(struct hooks *h, LLVMValueRef *values, unsigned count)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(h->module);

	for (unsigned i = 0; i < count && i < HENCE_RT_ARGS; i++) {
		LLVMValueRef slot = offset(h, h->builder, h->args, 16ull * i);

		if (LLVMStoreSizeOfType(layout, LLVMTypeOf(values[i])) <= 16)
			LLVMSetAlignment(LLVMBuildStore(h->builder, values[i], slot), 1);
	}
}

static LLVMValueRef result_slot(struct hooks *h, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(h->module), type) <= HENCE_RESULT
	               ? h->result
	               : NULL;
}

/* --- the hooks --- */

LLVMValueRef hooks_check(struct hooks *h, LLVMBuilderRef b, LLVMValueRef position)
{
	return LLVMBuildCall2(b, h->check_type, h->check, &position, 1, "");
}

/* A hook's type: the first parameters are ours, the rest those of a function. */
static LLVMTypeRef hook_type(struct hooks *h, LLVMTypeRef result, unsigned own,
                             const LLVMValueRef *values, unsigned count)
{
	LLVMTypeRef *types = mem_alloc((own + count) * sizeof(*types));
	LLVMTypeRef type;

	for (unsigned i = 0; i < own; i++)
		types[i] = h->ptr;
	for (unsigned i = 0; i < count; i++)
		types[own + i] = LLVMTypeOf(values[i]);
	type = LLVMFunctionType(result, types, own + count, false);
	free(types);
	return type;
}

/* Stores the hook's own parameters from `own` on into the argument buffer. */
static void store_params(struct hooks *h, LLVMValueRef hook, unsigned own)
{
	unsigned count = LLVMCountParams(hook);
	LLVMValueRef *params = mem_alloc(count * sizeof(*params));

	LLVMGetParams(hook, params);
	store_args(h, params + own, count - own);
	free(params);
}

static LLVMValueRef call_hook(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef hook,
                              LLVMValueRef *own, unsigned owns, const LLVMValueRef *values,
                              unsigned count)
{
	LLVMValueRef *all = mem_alloc((owns + count) * sizeof(*all));
	LLVMValueRef call;

	memcpy(all, own, owns * sizeof(*all));
	if (count)
		memcpy(all + owns, values, count * sizeof(*all));
	call = LLVMBuildCall2(b, type, hook, all, owns + count, "");
	free(all);
	return call;
}

LLVMValueRef hooks_enter(struct hooks *h, LLVMBuilderRef b, LLVMValueRef *params, unsigned count,
                         LLVMValueRef descriptor, LLVMValueRef frame)
{
	LLVMValueRef own[] = {descriptor, frame}, hook, position;
	LLVMBasicBlockRef entry, fast;
	LLVMTypeRef type;

	type = hook_type(h, h->ptr, 2, params, count);
	hook = begin_hook(h, "enter", type, &entry);
	if (entry) {
		LLVMValueRef slow[] = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 1)};

		position = hooks_position(h, h->builder);
		fast = branch_slow(h, hook, no_room(h, position));
		store_params(h, hook, 2);
		call_slow(h, "hence_rt_enter", h->void_, slow, 2);
		finish_check(h, entry, fast, position);
	}
	return call_hook(b, type, hook, own, 2, params, count);
}

/* Calls NAME with the parameter and uses its answer wherever the parameter was used. */
static LLVMValueRef exchange(struct hooks *h, LLVMBuilderRef b, const char *name,
                             LLVMValueRef param)
{
	LLVMTypeRef of = LLVMTypeOf(param), type = LLVMFunctionType(of, &of, 1, false);
	LLVMValueRef value = LLVMBuildCall2(b, type, slow_path(h, name, type), &param, 1, "");

	LLVMReplaceAllUsesWith(param, value);
	LLVMSetOperand(value, 0, param);
	return value;
}

void hooks_main(struct hooks *h, LLVMBuilderRef b, LLVMValueRef *params, unsigned count)
{
	LLVMTypeRef type = LLVMFunctionType(h->i32, &h->i32, 1, false);
	LLVMValueRef none = LLVMConstInt(h->i32, 0, false);

	/* First of all, and in a main without parameters too: the program may wait there. */
	if (count > 0 && LLVMTypeOf(params[0]) == h->i32)
		params[0] = exchange(h, b, "hence_rt_main_count", params[0]);
	else
		LLVMBuildCall2(b, type, slow_path(h, "hence_rt_main_count", type), &none, 1, "");
	if (count > 1 && LLVMTypeOf(params[1]) == h->ptr)
		params[1] = exchange(h, b, "hence_rt_main_words", params[1]);
	if (count > 2 && LLVMTypeOf(params[2]) == h->ptr)
		params[2] = exchange(h, b, "hence_rt_main_environment", params[2]);
}

void hooks_leave(struct hooks *h, LLVMBuilderRef b, LLVMValueRef descriptor, LLVMValueRef frame,
                 LLVMValueRef value)
{
	LLVMValueRef own[] = {descriptor, frame}, hook;
	LLVMBasicBlockRef entry, fast;
	LLVMTypeRef type = hook_type(h, h->void_, 2, &value, value ? 1 : 0);

	hook = begin_hook(h, "leave", type, &entry);
	if (entry) {
		LLVMValueRef slow[] = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 1)};
		LLVMValueRef out =
			head_word(h, h->builder, h->ptr, offsetof(struct hence_head, outframe));

		fast = branch_slow(h, hook, LLVMBuildICmp(h->builder, LLVMIntEQ, out, slow[1], ""));
		if (value && result_slot(h, LLVMTypeOf(value)))
			LLVMSetAlignment(
				LLVMBuildStore(h->builder, LLVMGetParam(hook, 2), h->result), 1);
		call_slow(h, "hence_rt_leave", h->void_, slow, 2);
		LLVMBuildBr(h->builder, fast);
		LLVMPositionBuilderAtEnd(h->builder, fast);
		LLVMBuildRetVoid(h->builder);
	}
	call_hook(b, type, hook, own, 2, &value, value ? 1 : 0);
}

static LLVMValueRef is_outside(struct hooks *h, LLVMValueRef import)
{
	LLVMValueRef at = offset(h, h->builder, import, offsetof(struct hence_rt_import, state));
	LLVMTypeRef i16 = LLVMInt16TypeInContext(h->context);
	LLVMValueRef state = LLVMBuildLoad2(h->builder, i16, at, "");

	return LLVMBuildICmp(h->builder, LLVMIntNE, state,
	                     LLVMConstInt(i16, HENCE_INSTRUMENTED, false), "");
}

static unsigned call_args(LLVMValueRef call, LLVMValueRef **args)
{
	unsigned count = LLVMGetNumArgOperands(call);

	*args = mem_alloc(count * sizeof(**args));
	for (unsigned i = 0; i < count; i++)
		(*args)[i] = LLVMGetOperand(call, i);
	return count;
}

void hooks_before(struct hooks *h, LLVMBuilderRef b, LLVMValueRef site, LLVMValueRef import,
                  LLVMValueRef frame, LLVMValueRef call)
{
	LLVMValueRef own[] = {site, import, frame}, hook, *args;
	unsigned count = call_args(call, &args);
	LLVMTypeRef type = hook_type(h, h->void_, 3, args, count);
	LLVMBasicBlockRef entry, fast;

	hook = begin_hook(h, "before", type, &entry);
	if (entry) {
		LLVMValueRef slow[] = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 2)};

		fast = branch_slow(h, hook, is_outside(h, LLVMGetParam(hook, 1)));
		store_params(h, hook, 3);
		call_slow(h, "hence_rt_before", h->void_, slow, 2);
		LLVMBuildBr(h->builder, fast);
		LLVMPositionBuilderAtEnd(h->builder, fast);
		LLVMBuildRetVoid(h->builder);
	}
	call_hook(b, type, hook, own, 3, args, count);
	free(args);
}

/* The slow half of an after-hook: gives the result to the runtime and takes it back. */
static void finish_after(struct hooks *h, LLVMValueRef hook, const char *slow_name,
                         LLVMValueRef value)
{
	LLVMValueRef slow[] = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 1)};
	bool fits = value && result_slot(h, LLVMTypeOf(value));
	LLVMValueRef again = value;

	if (fits)
		LLVMSetAlignment(LLVMBuildStore(h->builder, value, h->result), 1);
	call_slow(h, slow_name, h->void_, slow, 2);
	if (fits) {
		again = LLVMBuildLoad2(h->builder, LLVMTypeOf(value), h->result, "");
		LLVMSetAlignment(again, 1);
	}
	if (value)
		LLVMBuildRet(h->builder, again);
	else
		LLVMBuildRetVoid(h->builder);
}

/* The fast half: the callee was instrumented; only the space is checked. */
static void finish_instrumented(struct hooks *h, LLVMBasicBlockRef fast, LLVMValueRef value)
{
	LLVMPositionBuilderAtEnd(h->builder, fast);
	hooks_check(h, h->builder, hooks_position(h, h->builder));
	if (value)
		LLVMBuildRet(h->builder, value);
	else
		LLVMBuildRetVoid(h->builder);
}

static LLVMValueRef result_of(LLVMValueRef call)
{
	return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? NULL : call;
}

LLVMValueRef hooks_after(struct hooks *h, LLVMBuilderRef b, LLVMValueRef site, LLVMValueRef import,
                         LLVMValueRef frame, LLVMValueRef call, bool again)
{
	LLVMValueRef own[] = {site, frame, import}, hook, value = result_of(call), param;
	LLVMTypeRef type = hook_type(h, value ? LLVMTypeOf(value) : h->void_, 3, &value, !!value);
	LLVMBasicBlockRef entry, fast;

	hook = begin_hook(h, again ? "again" : "after", type, &entry);
	if (entry) {
		param = value ? LLVMGetParam(hook, 3) : NULL;
		fast = branch_slow(h, hook, is_outside(h, LLVMGetParam(hook, 2)));
		finish_after(h, hook, again ? "hence_rt_again" : "hence_rt_after", param);
		finish_instrumented(h, fast, param);
	}
	return call_hook(b, type, hook, own, 3, &value, !!value);
}

/* Is the call's target another than the instrumented function met here last? */
static LLVMValueRef is_new(struct hooks *h, LLVMValueRef import, LLVMValueRef target)
{
	LLVMValueRef at = offset(h, h->builder, import, offsetof(struct hence_rt_import, address));
	LLVMValueRef cached = LLVMBuildLoad2(h->builder, h->ptr, at, "");
	LLVMValueRef other = LLVMBuildICmp(h->builder, LLVMIntNE, cached, target, "");

	return LLVMBuildOr(h->builder, other, is_outside(h, import), "");
}

LLVMValueRef hooks_before_indirect(struct hooks *h, LLVMBuilderRef b, LLVMValueRef site,
                                   LLVMValueRef import, LLVMValueRef frame, LLVMValueRef call)
{
	LLVMValueRef own[] = {site, import, frame, LLVMGetCalledValue(call)}, hook, *args, outside;
	unsigned count = call_args(call, &args);
	LLVMTypeRef type = hook_type(h, h->i32, 4, args, count);
	LLVMBasicBlockRef entry, fast;

	hook = begin_hook(h, "before.indirect", type, &entry);
	if (entry) {
		LLVMValueRef target = LLVMGetParam(hook, 3);
		LLVMValueRef slow[] = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 2), target};

		fast = branch_slow(h, hook, is_new(h, LLVMGetParam(hook, 1), target));
		store_params(h, hook, 4);
		LLVMBuildRet(h->builder, call_slow(h, "hence_rt_before_indirect", h->i32, slow, 3));
		LLVMPositionBuilderAtEnd(h->builder, fast);

		/* The low half of the pointer goes to the tape. */
		LLVMValueRef position = hooks_position(h, h->builder);
		LLVMValueRef low = LLVMBuildPtrToInt(h->builder, target, h->i32, "");

		LLVMSetAlignment(LLVMBuildStore(h->builder, low, position), 1);
		hooks_commit(h, h->builder, offset(h, h->builder, position, 4));

		LLVMBuildRet(h->builder, LLVMConstInt(h->i32, 0, false));
	}
	outside = call_hook(b, type, hook, own, 4, args, count);
	free(args);
	return outside;
}

LLVMValueRef hooks_after_indirect(struct hooks *h, LLVMBuilderRef b, LLVMValueRef site,
                                  LLVMValueRef frame, LLVMValueRef call, LLVMValueRef outside)
{
	LLVMValueRef values[] = {outside, result_of(call)}, own[] = {site, frame}, hook, param;
	unsigned count = values[1] ? 2 : 1;
	LLVMTypeRef result = values[1] ? LLVMTypeOf(values[1]) : h->void_;
	LLVMTypeRef type = hook_type(h, result, 2, values, count);
	LLVMBasicBlockRef entry, fast;

	hook = begin_hook(h, "after.indirect", type, &entry);
	if (entry) {
		param = count > 1 ? LLVMGetParam(hook, 3) : NULL;
		fast = branch_slow(h, hook,
		                   LLVMBuildICmp(h->builder, LLVMIntNE, LLVMGetParam(hook, 2),
		                                 LLVMConstInt(h->i32, 0, false), ""));
		finish_after(h, hook, "hence_rt_after", param);
		finish_instrumented(h, fast, param);
	}
	return call_hook(b, type, hook, own, 2, values, count);
}

struct hooks *hooks_create(LLVMModuleRef module)
{
	struct hooks *h = mem_alloc(sizeof(*h));

	h->module = module;
	h->context = LLVMGetModuleContext(module);
	h->builder = LLVMCreateBuilderInContext(h->context);
	h->i8 = LLVMInt8TypeInContext(h->context);
	h->i32 = LLVMInt32TypeInContext(h->context);
	h->i64 = LLVMInt64TypeInContext(h->context);
	h->ptr = LLVMPointerTypeInContext(h->context, 0);
	h->void_ = LLVMVoidTypeInContext(h->context);
	h->head = LLVMAddGlobal(module, LLVMArrayType2(h->i64, 3), "hence_rt_head");
	h->args = declare_buffer(h, "hence_rt_args");
	h->result = declare_buffer(h, "hence_rt_result");

	/* A slow path is taken once in 2,000 times. */
	LLVMValueRef parts[] = {
		LLVMMDStringInContext(h->context, "branch_weights", 14),
		LLVMConstInt(h->i32, 1, false),
		LLVMConstInt(h->i32, 2000, false),
	};
	h->unlikely = LLVMMDNodeInContext(h->context, parts, 3);

	/* The check is built first of all, since other hooks call it from their bodies. */
	LLVMBasicBlockRef entry, fast;
	LLVMValueRef position;

	h->check_type = LLVMFunctionType(h->ptr, &h->ptr, 1, false);
	h->check = begin_hook(h, "check", h->check_type, &entry);
	position = LLVMGetParam(h->check, 0);
	fast = branch_slow(h, h->check, no_room(h, position));
	call_slow(h, "hence_rt_full", h->void_, &position, 1);
	finish_check(h, entry, fast, position);

	return h;
}

void hooks_destroy(struct hooks *h)
{
	if (!h)
		return;
	LLVMDisposeBuilder(h->builder);
	free(h);
}
