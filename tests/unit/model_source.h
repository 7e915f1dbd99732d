/* C text as a module, for unit tests of src/model: compiled by clang -O0 -g as hence cc does. */
#ifndef HENCE_TESTS_UNIT_MODEL_SOURCE_H
#define HENCE_TESTS_UNIT_MODEL_SOURCE_H

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
#include "cc/clang.h"
#include "model/ir.h"

/* Code both as itself and as text. */
#define SOURCE_TEXT_(...) #__VA_ARGS__
#define SOURCE_TEXT(...)  SOURCE_TEXT_(__VA_ARGS__)

/* The module of a C text in a file `source.c`. Caller frees with source_free(). */
static inline LLVMModuleRef source_compile(const char *text, const char *options)
{
	char folder[] = "/tmp/hence-unit-XXXXXX", *clang, *command, *path, *message;
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	FILE *file;

	assert_non_null(mkdtemp(folder));
	path = str_format("%s/source.c", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	assert_null(clang_find(&clang));
	command = str_format("cd %s && '%s' -w -O0 -g -c -emit-llvm %s source.c -o source.bc",
	                     folder, clang, options);
	assert_int_equal(system(command), 0);
	free(path);
	path = str_format("%s/source.bc", folder);
	assert_false(LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message));
	assert_false(LLVMParseBitcodeInContext2(LLVMContextCreate(), buffer, &module));
	LLVMDisposeMemoryBuffer(buffer);
	free(command);
	command = str_format("rm -r %s", folder);
	assert_int_equal(system(command), 0);
	free(command);
	free(path);
	free(clang);
	return module;
}

static inline void source_free(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);

	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

#endif
