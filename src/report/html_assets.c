/* The style and the script of the page: page.css and page.js as they are, and their hashes, which make computes. */
#include "report/html_page.h"

/* Paths are as seen from the root of the repository, where make runs the compiler. */
#define FILE_AS(name, path)                                                                        \
	__asm__(".section .rodata\n"                                                               \
	        ".globl " name "\n"                                                                \
	        ".globl " name "_end\n" name ":\n"                                                 \
	        ".incbin \"" path "\"\n" name "_end:\n"                                            \
	        ".byte 0\n"                                                                        \
	        ".previous\n")

FILE_AS("html_style", "src/report/page.css");
FILE_AS("html_script", "src/report/page.js");

const char html_style_hash[] = PAGE_STYLE_HASH;
const char html_script_hash[] = PAGE_SCRIPT_HASH;
