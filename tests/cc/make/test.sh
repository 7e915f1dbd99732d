#!/bin/bash
# A Makefile as people write them: -MMD includes, objects in a folder, an archive; only what changed is
# made again.
source "$SRC/tests/cc/lib.sh"
mkdir src
cat >Makefile <<'END'
CFLAGS := -O2 -Wall -Wextra -Werror -MMD -MP -Isrc
OBJ := obj/main.o obj/text.o
prog: obj/main.o libtext.a
	$(CC) $(LDFLAGS) -o $@ $^ -lm
libtext.a: obj/text.o
	$(AR) rcs $@ $^
obj/%.o: src/%.c | obj
	@echo made $@
	$(CC) $(CFLAGS) -c -o $@ $<
obj:
	mkdir $@
-include $(OBJ:.o=.d)
END
cat >src/main.c <<'END'
#include <stdio.h>
#include "text.h"
int main(void) { puts(text()); return 0; }
END
echo 'const char *text(void);' >src/text.h
printf '%s\n' '#include "text.h"' '#include "word.h"' 'const char *text(void) { return WORD; }' >src/text.c
echo '#define WORD "first"' >src/word.h

run() { make CC="$HENCE_CC" >out 2>err || fail "make"; [ ! -s err ] || fail "messages"; }
run
says first ./prog
[ "$(grep -c ^made out)" = 2 ] || fail "not two objects"
run
! grep -q ^made out || fail "made again for no reason"
sleep 0.02
echo '#define WORD "second"' >src/word.h
run
says second ./prog
[ "$(grep ^made out)" = "made obj/text.o" ] || fail "the wrong objects: $(grep ^made out)"
clean
