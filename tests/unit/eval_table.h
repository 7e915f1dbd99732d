/*
 * Every operation that src/eval/eval.h computes, on every type: the table, and a module with one
 * function for each line and type of it:
 *
 *	define void @f7(ptr %r, ptr %pa, ptr %pb, ptr %pc) {
 *	  %a = load volatile i24, ptr %pa
 *	  %b = load volatile i24, ptr %pb
 *	  %x = add i24 %a, %b
 *	  store volatile i24 %x, ptr %r
 *	  ret void
 *	}
 *
 * In the texts $T is the type, $U what follows its ':', and $M the type in an intrinsic's name.
 */
#ifndef HENCE_TESTS_UNIT_EVAL_TABLE_H
#define HENCE_TESTS_UNIT_EVAL_TABLE_H

#include <stdio.h>

#include <llvm-c/IRReader.h>

#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"

#define TYPES_INTEGER                                                                              \
	"i1|i5|i7|i8|i13|i16|i17|i24|i31|i32|i33|i40|i48|i63|i64|i65|i96|i100|i127|i128|"          \
	"<4 x i1>|<16 x i8>|<8 x i16>|<4 x i32>|<2 x i64>|<3 x i32>|<8 x i64>|<2 x i128>"
#define TYPES_FLOAT                                                                                \
	"half|bfloat|float|double|x86_fp80|fp128|<8 x half>|<4 x float>|<2 x double>|"             \
	"<3 x float>|<8 x double>|<2 x fp128>"
#define TYPES_COMPARED                                                                             \
	"i1:i1|i7:i1|i8:i1|i16:i1|i24:i1|i32:i1|i33:i1|i64:i1|i65:i1|i128:i1|ptr:i1|"              \
	"<16 x i8>:<16 x i1>|<4 x i32>:<4 x i1>|<2 x i64>:<2 x i1>|<3 x i16>:<3 x i1>|"            \
	"<2 x ptr>:<2 x i1>"
#define TYPES_FCOMPARED                                                                            \
	"half:i1|bfloat:i1|float:i1|double:i1|x86_fp80:i1|fp128:i1|"                               \
	"<4 x float>:<4 x i1>|<2 x double>:<2 x i1>|<3 x float>:<3 x i1>"
#define TYPES_MOVED                                                                                \
	"i1|i8|i32|i64|i128|i256|ptr|half|float|double|x86_fp80|fp128|<4 x i32>|<8 x i1>|"         \
	"<3 x float>"
#define EACH_INTEGER(from)                                                                         \
	from ":i1|" from ":i7|" from ":i8|" from ":i16|" from ":i24|" from ":i32|" from            \
	     ":i33|" from ":i63|" from ":i64|" from ":i65|" from ":i100|" from ":i128"
#define INTEGER_TO(to)                                                                             \
	"i1:" to "|i7:" to "|i8:" to "|i16:" to "|i24:" to "|i32:" to "|i33:" to "|i63:" to        \
	"|i64:" to "|i65:" to "|i100:" to "|i128:" to
#define TYPES_LONG          "i129|i136|i192|i200|i256|i1000"
#define TYPES_LONG_COMPARED "i129:i1|i136:i1|i192:i1|i200:i1|i256:i1|i1000:i1"
#define TYPES_OVERFLOWED    "i8|i16|i17|i32|i33|i64|i65|i100|i128"
#define TYPES_EXTREME       "i8|i16|i24|i32|i64|i128|<4 x i32>|<16 x i8>|<2 x i64>"
#define TYPES_FLOAT_TO_INT                                                                         \
	EACH_INTEGER("half")                                                                       \
	"|" EACH_INTEGER("float") "|" EACH_INTEGER("double") "|" EACH_INTEGER(                     \
		"x86_fp80") "|" EACH_INTEGER("fp128") "|bfloat:i32|bfloat:i64|<4 x float>:<4 x "   \
						      "i32>|"                                      \
						      "<2 x double>:<2 x i64>|<4 x float>:<4 x "   \
						      "i8>|<2 x double>:<2 x i32>|<8 x float>:<8 " \
						      "x i16>"
#define TYPES_INT_TO_FLOAT                                                                         \
	INTEGER_TO("half")                                                                         \
	"|" INTEGER_TO("float") "|" INTEGER_TO("double") "|" INTEGER_TO(                           \
		"x86_fp80") "|" INTEGER_TO("fp128") "|i32:bfloat|i64:bfloat|<4 x i32>:<4 x "       \
						    "float>|"                                      \
						    "<2 x i64>:<2 x double>|<4 x i8>:<4 x "        \
						    "float>|<2 x i32>:<2 x double>|<8 x i16>:<8 "  \
						    "x float>"

static const struct row {
	const char *text;
	const char *operands; /* types, by '|' */
	const char *result;
	const char *types;    /* by '|' */
	const char *features; /* of the target; NULL: the usual ones */
} rows[] = {
	{"add $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"sub $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"mul $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"udiv $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"sdiv $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"urem $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"srem $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"sdiv $T %a, -1", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"srem $T %a, -1", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"sdiv $T %a, 7", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"urem $T %a, 10", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"sdiv $T 0, %a", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"urem $T 0, %a", "$T", "$T", "i8|i16|i32|i64|i128", NULL},
	{"shl $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"lshr $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"ashr $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"shl $T %a, 3", "$T", "$T", "i8|i16|i24|i32|i64|i128", NULL},
	{"lshr $T %a, 3", "$T", "$T", "i8|i16|i24|i32|i64|i128", NULL},
	{"ashr $T %a, 3", "$T", "$T", "i8|i16|i24|i32|i64|i128", NULL},
	{"and $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"or $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},
	{"xor $T %a, %b", "$T|$T", "$T", TYPES_INTEGER, NULL},

	/* Integers of more than 128 bits. */
	{"and $T %a, %b", "$T|$T", "$T", TYPES_LONG, NULL},
	{"or $T %a, %b", "$T|$T", "$T", TYPES_LONG, NULL},
	{"xor $T %a, %b", "$T|$T", "$T", TYPES_LONG, NULL},
	{"add $T %a, %b", "$T|$T", "$T", TYPES_LONG, NULL},
	{"sub $T %a, %b", "$T|$T", "$T", TYPES_LONG, NULL},
	{"shl $T %a, 1", "$T", "$T", TYPES_LONG, NULL},
	{"shl $T %a, 64", "$T", "$T", TYPES_LONG, NULL},
	{"shl $T %a, 77", "$T", "$T", TYPES_LONG, NULL},
	{"shl $T %a, 128", "$T", "$T", TYPES_LONG, NULL},
	{"lshr $T %a, 1", "$T", "$T", TYPES_LONG, NULL},
	{"lshr $T %a, 64", "$T", "$T", TYPES_LONG, NULL},
	{"lshr $T %a, 77", "$T", "$T", TYPES_LONG, NULL},
	{"lshr $T %a, 128", "$T", "$T", TYPES_LONG, NULL},
	{"ashr $T %a, 1", "$T", "$T", TYPES_LONG, NULL},
	{"ashr $T %a, 64", "$T", "$T", TYPES_LONG, NULL},
	{"ashr $T %a, 77", "$T", "$T", TYPES_LONG, NULL},
	{"ashr $T %a, 128", "$T", "$T", TYPES_LONG, NULL},
	{"icmp eq $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp ne $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp ugt $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp uge $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp ult $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp ule $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp sgt $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp sge $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp slt $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"icmp sle $T %a, %b", "$T|$T", "$U", TYPES_LONG_COMPARED, NULL},
	{"trunc $T %a to $U", "$T", "$U", "i136:i1|i136:i32|i200:i128|i256:i129|i256:i64", NULL},
	{"zext $T %a to $U", "$T", "$U", "i1:i136|i8:i136|i64:i192|i65:i200|i128:i129|i136:i256",
         NULL},
	{"sext $T %a to $U", "$T", "$U", "i1:i136|i8:i136|i64:i192|i65:i200|i128:i129|i136:i256",
         NULL},

	{"icmp eq $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp ne $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp ugt $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp uge $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp ult $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp ule $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp sgt $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp sge $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp slt $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},
	{"icmp sle $T %a, %b", "$T|$T", "$U", TYPES_COMPARED, NULL},

	{"fadd $T %a, %b", "$T|$T", "$T", TYPES_FLOAT, NULL},
	{"fsub $T %a, %b", "$T|$T", "$T", TYPES_FLOAT, NULL},
	{"fmul $T %a, %b", "$T|$T", "$T", TYPES_FLOAT, NULL},
	{"fdiv $T %a, %b", "$T|$T", "$T", TYPES_FLOAT, NULL},
	{"frem $T %a, %b", "$T|$T", "$T", "half|bfloat|float|double|x86_fp80|fp128|<4 x float>",
         NULL},
	{"fneg $T %a", "$T", "$T", TYPES_FLOAT, NULL},
	{"fadd $T %a, %b", "$T|$T", "$T", "half|float|double", "avx,f16c"},
	{"fcmp oeq $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ogt $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp oge $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp olt $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ole $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp one $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ord $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ueq $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ugt $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp uge $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ult $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp ule $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp une $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp uno $T %a, %b", "$T|$T", "$U", TYPES_FCOMPARED, NULL},
	{"fcmp true $T %a, %b", "$T|$T", "$U", "float:i1|double:i1", NULL},
	{"fcmp false $T %a, %b", "$T|$T", "$U", "float:i1|double:i1", NULL},

	{"trunc $T %a to $U", "$T", "$U",
         "i8:i1|i32:i1|i32:i7|i32:i8|i32:i24|i64:i32|i128:i64|i128:i100|i100:i65|i64:i1|"
         "<4 x i32>:<4 x i1>|<4 x i32>:<4 x i8>|<2 x i64>:<2 x i32>",
         NULL},
	{"zext $T %a to $U", "$T", "$U",
         "i1:i8|i1:i32|i7:i32|i8:i32|i24:i33|i32:i64|i64:i128|i65:i100|i1:i128|"
         "<4 x i1>:<4 x i32>|<4 x i8>:<4 x i32>|<2 x i32>:<2 x i64>",
         NULL},
	{"sext $T %a to $U", "$T", "$U",
         "i1:i8|i1:i32|i7:i32|i8:i32|i24:i33|i32:i64|i64:i128|i65:i100|i1:i128|"
         "<4 x i1>:<4 x i32>|<4 x i8>:<4 x i32>|<2 x i32>:<2 x i64>",
         NULL},
	{"fptosi $T %a to $U", "$T", "$U", TYPES_FLOAT_TO_INT, NULL},
	{"fptoui $T %a to $U", "$T", "$U", TYPES_FLOAT_TO_INT, NULL},
	{"sitofp $T %a to $U", "$T", "$U", TYPES_INT_TO_FLOAT, NULL},
	{"uitofp $T %a to $U", "$T", "$U", TYPES_INT_TO_FLOAT, NULL},
	{"fptoui $T %a to $U", "$T", "$U",
         EACH_INTEGER("float") "|" EACH_INTEGER("double") "|x86_fp80:i64|<4 x float>:<4 x i32>",
         "avx512f"},
	{"fptosi $T %a to $U", "$T", "$U", EACH_INTEGER("float") "|" EACH_INTEGER("double"),
         "avx512f"},
	{"fptrunc $T %a to $U", "$T", "$U",
         "float:half|double:half|x86_fp80:half|fp128:half|float:bfloat|double:bfloat|"
         "double:float|x86_fp80:float|x86_fp80:double|fp128:float|fp128:double|"
         "fp128:x86_fp80|<2 x double>:<2 x float>|<4 x float>:<4 x half>",
         NULL},
	{"fpext $T %a to $U", "$T", "$U",
         "half:float|half:double|half:x86_fp80|half:fp128|bfloat:float|bfloat:double|"
         "float:double|float:x86_fp80|double:x86_fp80|float:fp128|double:fp128|"
         "x86_fp80:fp128|<2 x float>:<2 x double>|<4 x half>:<4 x float>",
         NULL},
	{"ptrtoint $T %a to $U", "$T", "$U", "ptr:i64|ptr:i32|ptr:i128|<2 x ptr>:<2 x i64>", NULL},
	{"inttoptr $T %a to $U", "$T", "$U", "i64:ptr|i32:ptr|i128:ptr|<2 x i64>:<2 x ptr>", NULL},
	{"addrspacecast $T %a to $U", "$T", "$U",
         "ptr:ptr addrspace(256)|ptr:ptr addrspace(270)|ptr addrspace(270):ptr|"
         "ptr addrspace(271):ptr",
         NULL},
	{"bitcast $T %a to $U", "$T", "$U",
         "i32:float|double:i64|i64:<2 x i32>|<4 x float>:i128|<4 x i32>:<2 x double>|"
         "<8 x i1>:i8|i16:<16 x i1>|fp128:i128|x86_fp80:i80|half:i16|i64:i64|"
         "<8 x i32>:i256",
         NULL},
	{"select i1 %a, $T %b, $T %c", "i1|$T|$T", "$T", TYPES_MOVED, NULL},
	{"select $U %a, $T %b, $T %c", "$U|$T|$T", "$T",
         "<4 x i32>:<4 x i1>|<2 x double>:<2 x i1>|<3 x float>:<3 x i1>|<8 x i1>:<8 x i1>", NULL},
	{"freeze $T %a", "$T", "$T", TYPES_MOVED, NULL},

	{"extractvalue $T %a, 1", "$T", "$U",
         "{ i32, i1 }:i1|{ i8, i64 }:i64|{ double, double }:double|{ <2 x float>, float }:float|"
         "{ x86_fp80, x86_fp80 }:x86_fp80|[3 x i16]:i16|{ i128, i1 }:i1|{ i1, i7 }:i7",
         NULL},
	{"extractvalue $T %a, 1, 2", "$T", "$U",
         "{ i8, [4 x i16] }:i16|{ i8, { i8, i8, ptr } }:ptr", NULL},
	{"insertvalue $T %a, $U %b, 1", "$T|$U", "$T",
         "{ i32, i1 }:i1|{ i8, i64 }:i64|{ double, double }:double|{ <2 x float>, float }:float|"
         "{ x86_fp80, x86_fp80 }:x86_fp80|[3 x i16]:i16|{ i8, [4 x i16] }:[4 x i16]",
         NULL},
	{"extractelement $T %a, i32 %b", "$T|i32", "$U",
         "<4 x i32>:i32|<16 x i8>:i8|<2 x double>:double|<4 x float>:float|<8 x half>:half|"
         "<4 x i64>:i64|<2 x ptr>:ptr|<2 x fp128>:fp128",
         NULL},
	{"extractelement $T %a, i64 1", "$T", "$U",
         "<4 x i32>:i32|<3 x float>:float|<8 x i1>:i1|<2 x i128>:i128", NULL},
	{"insertelement $T %a, $U %b, i32 %c", "$T|$U|i32", "$T",
         "<4 x i32>:i32|<16 x i8>:i8|<2 x double>:double|<4 x float>:float|<4 x i64>:i64", NULL},
	{"insertelement $T %a, $U %b, i64 1", "$T|$U", "$T",
         "<4 x i32>:i32|<3 x float>:float|<8 x i1>:i1|<2 x i128>:i128", NULL},
	{"shufflevector $T %a, $T %b, <4 x i32> <i32 5, i32 0, i32 poison, i32 3>", "$T|$T", "$U",
         "<4 x i32>:<4 x i32>|<4 x float>:<4 x float>|<4 x i8>:<4 x i8>|<3 x i64>:<4 x i64>|"
         "<8 x i16>:<4 x i16>",
         NULL},
	{"shufflevector $T %a, $T %b, <2 x i32> <i32 3, i32 0>", "$T|$T", "$U",
         "<2 x i32>:<2 x i32>|<4 x float>:<2 x float>|<2 x double>:<2 x double>|"
         "<8 x i1>:<2 x i1>",
         NULL},

	{"call $T @llvm.abs.$M($T %a, i1 false)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.abs.$M($T %a, i1 true)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.bitreverse.$M($T %a)", "$T", "$T", "i8|i16|i24|i32|i64|i128|<4 x i32>",
         NULL},
	{"call $T @llvm.bswap.$M($T %a)", "$T", "$T", "i16|i32|i48|i64|i128|<4 x i32>", NULL},
	{"call $T @llvm.ctlz.$M($T %a, i1 false)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.ctlz.$M($T %a, i1 true)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.cttz.$M($T %a, i1 false)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.cttz.$M($T %a, i1 true)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.ctpop.$M($T %a)", "$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.smax.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.smin.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.umax.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.umin.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.fshl.$M($T %a, $T %b, $T %c)", "$T|$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.fshr.$M($T %a, $T %b, $T %c)", "$T|$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.sadd.sat.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.ssub.sat.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.uadd.sat.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call $T @llvm.usub.sat.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_EXTREME, NULL},
	{"call { $T, i1 } @llvm.sadd.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call { $T, i1 } @llvm.ssub.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call { $T, i1 } @llvm.smul.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call { $T, i1 } @llvm.uadd.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call { $T, i1 } @llvm.usub.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call { $T, i1 } @llvm.umul.with.overflow.$M($T %a, $T %b)", "$T|$T", "{ $T, i1 }",
         TYPES_OVERFLOWED, NULL},
	{"call $T @llvm.ceil.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.floor.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.rint.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.round.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.trunc.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.floor.$M($T %a)", "$T", "$T", "float|double|<4 x float>", "sse4.1"},
	{"call $T @llvm.round.$M($T %a)", "$T", "$T", "float|double|<4 x float>", "sse4.1"},
	{"call $T @llvm.sqrt.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.fabs.$M($T %a)", "$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.copysign.$M($T %a, $T %b)", "$T|$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.fmuladd.$M($T %a, $T %b, $T %c)", "$T|$T|$T", "$T", TYPES_FLOAT, NULL},
	{"call $T @llvm.fmuladd.$M($T %a, $T %b, $T %c)", "$T|$T|$T", "$T",
         "float|double|x86_fp80|<4 x float>", "fma"},
	{"call $T @llvm.expect.$M($T %a, $T %b)", "$T|$T", "$T", "i1|i32|i64", NULL},
	{"call $T @llvm.launder.invariant.group.$M($T %a)", "$T", "$T", "ptr", NULL},
	{"call i1 @llvm.is.constant.$M($T %a)", "$T", "i1", "i32|double|ptr", NULL},
	{"call i1 @llvm.is.constant.$M($T 7)", "", "i1", "i32", NULL},
	{"call i64 @llvm.objectsize.i64.p0($T %a, i1 false, i1 true, i1 false)", "$T", "i64", "ptr",
         NULL},
	{"call i64 @llvm.objectsize.i64.p0($T %a, i1 true, i1 true, i1 true)", "$T", "i64", "ptr",
         NULL},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* One line of the table with one type. */
struct case_ {
	const struct row *row;
	char type[64];
	LLVMValueRef instruction;
	uint32_t operands;
	LLVMTypeRef operand[3];
};

static VEC(struct case_) cases;

/* --- the module --- */

/* Name of a type in an intrinsic's name: <4 x float> is v4f32. */
static void add_mangled(struct str *to, const char *type)
{
	static const char *const floats[][2] = {
		{"half", "f16"},     {"bfloat", "bf16"}, {"float", "f32"}, {"double", "f64"},
		{"x86_fp80", "f80"}, {"fp128", "f128"},  {"ptr", "p0"},
	};
	unsigned lanes;
	char element[32];

	if (sscanf(type, "<%u x %31[^>]>", &lanes, element) == 2) {
		str_printf(to, "v%u", lanes);
		type = element;
	}
	for (size_t i = 0; i < COUNT(floats); i++)
		if (!strcmp(type, floats[i][0]))
			type = floats[i][1];
	str_add(to, type);
}

/* Adds `text` with $T, $U and $M replaced. */
static void add_text(struct str *to, const char *text, const char *type)
{
	const char *colon = strchr(type, ':');
	char first[64];

	snprintf(first, sizeof(first), "%.*s", colon ? (int)(colon - type) : 63, type);
	for (; *text; text++) {
		if (*text != '$') {
			str_add_bytes(to, text, 1);
			continue;
		}
		text++;
		if (*text == 'T')
			str_add(to, first);
		else if (*text == 'U')
			str_add(to, colon + 1);
		else
			add_mangled(to, first);
	}
}

static void add_operands(struct str *to, struct case_ *c)
{
	const char *at = c->row->operands;

	for (; *at; at += strcspn(at, "|"), at += *at == '|') {
		char text[32];
		char name = (char)('a' + c->operands++);

		snprintf(text, sizeof(text), "%.*s", (int)strcspn(at, "|"), at);
		str_printf(to, "  %%%c = load volatile ", name);
		add_text(to, text, c->type);
		str_printf(to, ", ptr %%p%c\n", name);
	}
}

static void add_case(struct str *to, const struct row *row, const char *type, size_t length)
{
	struct case_ *c = vec_push(&cases);

	*c = (struct case_){.row = row};
	snprintf(c->type, sizeof(c->type), "%.*s", (int)length, type);
	str_printf(to, "define void @f%u(ptr %%r, ptr %%pa, ptr %%pb, ptr %%pc)", cases.size - 1);
	if (row->features) {
		str_add(to, " \"target-features\"=\"");
		for (const char *at = row->features; *at; at += *at == ',') {
			str_printf(to, "%s+%.*s", at > row->features ? "," : "",
			           (int)strcspn(at, ","), at);
			at += strcspn(at, ",");
		}
		str_add(to, "\"");
	}
	str_add(to, " {\n");
	add_operands(to, c);
	str_add(to, "  %x = ");
	add_text(to, row->text, c->type);
	str_add(to, "\n  store volatile ");
	add_text(to, row->result, c->type);
	str_add(to, " %x, ptr %r\n  ret void\n}\n");
}

static LLVMModuleRef parse(const char *text)
{
	LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "table");
	LLVMModuleRef module;
	char *message;

	if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message)) {
		fprintf(stderr, "%s\n", message);
		abort();
	}
	return module;
}

/* The instruction is what is stored, its operands are what is loaded. */
static void find_instruction(LLVMModuleRef module, uint32_t number)
{
	struct case_ *c = &cases.at[number];
	char name[16];
	LLVMValueRef i;
	uint32_t loads = 0;

	snprintf(name, sizeof(name), "f%u", number);
	i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetNamedFunction(module, name)));
	for (; !LLVMIsAStoreInst(i); i = LLVMGetNextInstruction(i))
		if (LLVMIsALoadInst(i))
			c->operand[loads++] = LLVMTypeOf(i);
	c->instruction = LLVMGetOperand(i, 0);
}

/* Makes the module and fills `cases`. */
static LLVMModuleRef make_module(void)
{
	struct str text = STR_INIT;
	LLVMModuleRef module;

	str_add(&text, "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-"
	               "i128:128-f80:128-n8:16:32:64-S128\"\n"
	               "target triple = \"x86_64-pc-linux-gnu\"\n");
	for (size_t r = 0; r < COUNT(rows); r++)
		for (const char *at = rows[r].types; *at; at += *at == '|') {
			add_case(&text, &rows[r], at, strcspn(at, "|"));
			at += strcspn(at, "|");
		}
	module = parse(str_text(&text));
	for (uint32_t i = 0; i < cases.size; i++)
		find_instruction(module, i);
	str_deinit(&text);
	return module;
}

#endif
