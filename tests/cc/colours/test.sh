#!/bin/bash
# On a terminal the messages are coloured, as clang's own would be; elsewhere they are not.
source "$SRC/tests/cc/lib.sh"
command -v script >/dev/null || { echo "needs script(1)"; exit 77; }
echo 'int f(void) { return absent; }' >b.c
bad 1 "error:" -c b.c
! grep -q $'\033' err || fail "colours in a file"
terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null >out 2>&1; }
terminal "'$HENCE_CC' -c b.c"
grep -q $'\033\[.*error: ' out || fail "no colours on a terminal"
terminal "'$HENCE_CC' -fno-color-diagnostics -c b.c"
! grep -q $'\033\[.*error: ' out || fail "colours against the user's wish"
terminal "NO_COLOR=1 '$HENCE_CC' -c b.c"
! grep -q $'\033\[.*error: ' out || fail "colours in spite of NO_COLOR"
# Coloured complaints about options are understood, too.
echo 'int g;' >g.c
terminal "'$HENCE_CC' -fno-ipa-fancy -c g.c"
grep -q 'dropped -fno-ipa-fancy' out && [ -s g.o ] || fail "a coloured rejection"
clean
