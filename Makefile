# hence: `make` builds, `make test` tests, `make demo` shows. All that is made lies below build/.
SHELL := /bin/bash
comma := ,
# `make V=1` shows the commands.
Q     := $(if $(V),,@)
B     ?= build

# The newest supported LLVM; `make LLVM_CONFIG=llvm-config-19` overrides.
LLVM_CONFIG  ?= $(firstword $(foreach v,22 19,$(shell command -v llvm-config-$(v) 2>/dev/null)))
llvm         = $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) $(1) 2>/dev/null))
LLVM_MAJOR   := $(firstword $(subst ., ,$(call llvm,--version)))
LLVM_INCLUDE := $(addprefix -isystem ,$(call llvm,--includedir))

CC      := gcc
WARN    := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wno-unused-parameter -Werror
CFLAGS  ?= -O2 -g
SAN     ?=
PIC     := -fPIC -fno-semantic-interposition
# Sanitizers make gcc warn about what is fine.
WARN    += $(if $(SAN),-Wno-error)
ALL_CFLAGS = -std=gnu11 $(PIC) $(CFLAGS) $(SAN) $(WARN) -Isrc -D_GNU_SOURCE -DHENCE_LLVM=$(LLVM_MAJOR) \
	$(LLVM_INCLUDE)
LIBS     := $(call llvm,--ldflags --libs) -lzstd -ldw -lelf -lroaring -ljansson -lz3 -lm
# hence itself has the parts of LLVM that it needs inside, and no relocations in them, where the static libraries are
# there: with the shared one each start takes 20 ms of processor time, without it 6.
LLVM_PARTS  := core analysis bitreader bitwriter passes x86
LLVM_STATIC := $(if $(wildcard $(call llvm,--libdir)/libLLVMX86CodeGen.a),$(call llvm,--link-static --libs $(LLVM_PARTS)))
HENCE_LIBS  := $(if $(LLVM_STATIC),-no-pie -Wl$(comma)--gc-sections -Wl$(comma)--as-needed $(call llvm,--ldflags) $(LLVM_STATIC) -lz -lstdc++) \
	$(filter-out $(if $(LLVM_STATIC),-lLLVM%),$(LIBS))
RT_CFLAGS = -std=gnu11 -O2 -g $(WARN) -Isrc -D_GNU_SOURCE -fPIC -fno-stack-protector -mstringop-strategy=libcall \
	-fvisibility=hidden -ftls-model=initial-exec -U_FORTIFY_SOURCE

PREFIX  ?= /usr/local
DESTDIR ?=
TO       = $(DESTDIR)$(PREFIX)

FOLDERS := base model outside cc run trial eval actions trace words experiment edit align state dd units reduce slice solve failure methods explain spectra report cli
SRC     := $(wildcard $(FOLDERS:%=src/%/*.c))
OBJ     := $(SRC:src/%.c=$(B)/%.o)
# hence-eval: what is only for measuring hence.
EVAL_SRC := $(wildcard src/research/*.c)
EVAL_OBJ := $(EVAL_SRC:src/%.c=$(B)/%.o)
RT_SRC  := $(wildcard src/runtime/*.c)
RT_OBJ  := $(RT_SRC:src/%.c=$(B)/%.o)
UNIT    := $(wildcard tests/unit/*.c)
UNIT_BIN := $(UNIT:tests/unit/%.c=$(B)/unit/%)
# Everything but main(), for the unit tests.
LIB_OBJ := $(filter-out %/main.o,$(OBJ) $(EVAL_OBJ))
# Helpers of tests/cases/check.
CASE_BIN := $(B)/tests/count.o $(B)/tests/status

# Goals that build in a second make: what scripts/deps installs is looked for only there. That make
# uses all processors unless the user chose a number.
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
READY   = scripts/deps && $(SUBMAKE) all

.PHONY: all check unit clean test test-long test-san test-llvm19 demo bench results install uninstall \
	format check-format FORCE
all: $(B)/hence $(B)/hence-cc $(B)/hence-eval $(B)/libhence_rt.a $(B)/models

# Stops with one line when something that the build needs is not there.
check:
	$(if $(shell command -v $(firstword $(CC))),,$(error hence: no C compiler ($(CC)); run scripts/deps))
	$(if $(LLVM_MAJOR),,$(error hence: no LLVM found; run scripts/deps (or install llvm-22-dev and clang-22), or set LLVM_CONFIG))
	$(if $(filter 19 22,$(LLVM_MAJOR)),,$(error hence: LLVM $(LLVM_MAJOR) ($(LLVM_CONFIG)) is not supported; use 19 or 22))
	$(if $(MISSING),$(error hence: missing $(strip $(MISSING)); run scripts/deps))
	@:

# The packages whose headers the compiler does not find.
HASH    := \#
MISSING = $(shell printf '$(HASH)if !__has_include(<%s>)\n%s\n$(HASH)endif\n' llvm-c/Core.h llvm-$(LLVM_MAJOR)-dev \
	zstd.h libzstd-dev elfutils/libdwfl.h libdw-dev libelf.h libelf-dev roaring/roaring.h libroaring-dev \
	jansson.h libjansson-dev z3.h libz3-dev | \
	$(CC) $(LLVM_INCLUDE) -E -P -)

# Changes when the compiler, LLVM or the flags do, so that one build folder never mixes two of them.
FLAGS := $(CC) $(PIC) $(CFLAGS) $(SAN) $(LLVM_CONFIG) $(LLVM_MAJOR)
$(B)/flags: check FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

$(B)/hence-eval: $(filter-out $(B)/cli/main.o,$(OBJ)) $(EVAL_OBJ)
	@echo "  $@"
	$(Q)$(CC) $(SAN) -o $@ $^ $(HENCE_LIBS)

$(B)/hence: $(OBJ)
	@echo "  $@"
	$(Q)$(CC) $(SAN) -o $@ $^ $(HENCE_LIBS)

$(B)/hence-cc: | $(B)/hence
	$(Q)ln -sf hence $@

$(B)/models: | $(B)/flags
	$(Q)ln -sfn $(CURDIR)/models $@

# One object, so that a program that needs a hook also gets the constructor.
$(B)/libhence_rt.a: $(RT_OBJ)
	@echo "  $@"
	$(Q)ld -r -o $(B)/hence_rt.o $^ && rm -f $@ && ar rcs $@ $(B)/hence_rt.o

# The runtime calls its own memcpy and the like (src/runtime/plain.c), whatever the program defines;
# outside_names.c is about the C library's, so it keeps the names.
RT_OWN    := memcpy memset memcmp strlen strcmp strncmp
RT_RENAME  = $(foreach f,$(RT_OWN),--redefine-sym $(f)=hence_rt_$(f))
$(B)/runtime/outside_names.o: RT_RENAME =

# Its loops must not become calls of what they implement.
$(B)/runtime/plain.o: RT_CFLAGS += -fno-builtin -fno-tree-loop-distribute-patterns
# Vector registers are not saved for it.
$(B)/runtime/rails.o $(B)/runtime/choices.o: RT_CFLAGS += -mgeneral-regs-only

$(B)/runtime/%.o: src/runtime/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  $@"
	$(Q)$(CC) $(RT_CFLAGS) -MMD -MP -c -o $@ $<
	$(Q)objcopy $(RT_RENAME) $@

$(B)/%.o: src/%.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  $@"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The page of --format html has its style and its script inside, and tells browsers to obey no others: their hashes.
page_hash = sha256-$(shell sha256sum src/report/$(1) | cut -c-64 | tr a-f A-F | basenc -d --base16 | base64 -w0)
$(B)/report/html_page.o: src/report/page.css src/report/page.js
$(B)/report/html_page.o: ALL_CFLAGS += -DPAGE_STYLE_HASH='"$(call page_hash,page.css)"' \
	-DPAGE_SCRIPT_HASH='"$(call page_hash,page.js)"'

# For unit tests, so that they need not be linked again, each with everything, when something changes.
$(B)/libhence_unit.so: $(LIB_OBJ)
	@echo "  $@"
	$(Q)$(CC) $(SAN) -shared -Wl,-soname,$(@F) -o $@ $^ $(LIBS)

# A unit test that needs objects of the runtime names them as further prerequisites.
$(B)/unit/%: tests/unit/%.c $(B)/flags | $(B)/libhence_unit.so
	@mkdir -p $(@D)
	@echo "  $@"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(filter %.o,$^) $(B)/libhence_unit.so -Wl,-rpath,'$$ORIGIN/..' $(LIBS) -lcmocka

$(B)/tests/count.o: tests/cases/count.c
	@mkdir -p $(@D)
	@echo "  $@"
	$(Q)$(CC) -std=gnu11 -O2 $(WARN) -D_GNU_SOURCE -fPIC -c -o $@ $<

$(B)/tests/status: tests/cases/status.c
	@mkdir -p $(@D)
	@echo "  $@"
	$(Q)$(CC) -std=gnu11 -O2 $(WARN) -D_GNU_SOURCE -o $@ $<

unit: $(UNIT_BIN) $(CASE_BIN)

test:
	@$(READY) unit && B=$(B) tests/runner

test-long:
	@$(READY) unit && B=$(B) HENCE_TEST_LONG=1 tests/runner

# The runtime is left out: it is linked into programs that are not sanitized.
test-san:
	@$(MAKE) --no-print-directory test B=build-san \
		SAN='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

test-llvm19:
	@$(MAKE) --no-print-directory test B=build-19 LLVM_CONFIG=llvm-config-19

demo:
	@$(READY) && B=$(B) HENCE=$(abspath $(B))/hence scripts/demo

bench:
	@scripts/deps bench && $(SUBMAKE) all && B=$(B) HENCE=$(abspath $(B))/hence bench/run

# The tables of docs/results.md.
results:
	@$(READY) && B=$(B) HENCE=$(abspath $(B))/hence bench/results

install: all
	install -d $(TO)/bin $(TO)/lib/hence $(TO)/share/hence/models
	install -m 755 $(B)/hence $(B)/hence-eval $(TO)/bin/
	$(Q)ln -sf hence $(TO)/bin/hence-cc
	install -m 644 $(B)/libhence_rt.a $(TO)/lib/hence/
	$(if $(wildcard models/*.model),install -m 644 models/*.model $(TO)/share/hence/models/)
	$(if $(wildcard docs/man/*.1),install -d $(TO)/share/man/man1)
	$(if $(wildcard docs/man/*.1),install -m 644 docs/man/*.1 $(TO)/share/man/man1/)
	install -d $(TO)/share/bash-completion/completions $(TO)/share/zsh/site-functions
	install -m 644 completions/hence.bash $(TO)/share/bash-completion/completions/hence
	install -m 644 completions/_hence $(TO)/share/zsh/site-functions/_hence

uninstall:
	rm -f $(TO)/bin/hence $(TO)/bin/hence-cc $(TO)/bin/hence-eval
	rm -f $(patsubst docs/man/%,$(TO)/share/man/man1/%,$(wildcard docs/man/*.1))
	rm -f $(TO)/share/bash-completion/completions/hence $(TO)/share/zsh/site-functions/_hence
	rm -rf $(TO)/lib/hence $(TO)/share/hence

FORMATTED = $(wildcard src/*/*.[ch] tests/unit/*.[ch] tests/cases/*.c bench/*.c)
format:
	clang-format -i $(FORMATTED)

check-format:
	clang-format --dry-run -Werror $(FORMATTED)

clean:
	rm -rf $(B)

-include $(OBJ:.o=.d) $(EVAL_OBJ:.o=.d) $(RT_OBJ:.o=.d) $(UNIT_BIN:=.d)
