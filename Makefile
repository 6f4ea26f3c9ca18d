# Retwis. `make help` lists the targets; on a fresh Debian, `make run` and `make test` need nothing before them.
#
# Everything is built under $(B); the sanitizer builds are the same rules with another $(B). Sources, tests and embedded
# files are found by their place, so a new file needs no line here.

B ?= build
# Processes of the Python tests, which mostly wait.
JOBS ?= 4
MAX_SIZE := $(shell expr 14 \* 1024 \* 1024)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --no-print-directory -j$(shell nproc)
endif
comma := ,
Q := $(if $(V),,@)
say = $(if $(V),,@echo "$(1)")

DEPS := $(shell packaging/deps/build --print-dir)
VERSION := $(shell sed -n 's/^\#\# \[\([0-9][^]]*\)\].*/\1/p' CHANGELOG.md | head -n 1)

# --- flags -----------------------------------------------------------------------------------------------------------

CC = gcc
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Werror=format-security -Wvla \
       $(if $(SANITIZE),,-Wframe-larger-than=16384)
HARDEN = -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 \
         -ftrivial-auto-var-init=zero -fno-strict-overflow \
         $(if $(filter x86_64,$(shell uname -m)),-fcf-protection=full)
SANITIZER = -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS = -std=c11 -O2 -g -fPIE $(WARN) $(if $(SANITIZE),$(SANITIZER),$(HARDEN))
CPPFLAGS = -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DRETWIS_VERSION='"$(VERSION)"' -Isrc -I$(B)/generated -isystem $(DEPS)/include \
           -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(DEPS)=deps
LDFLAGS = $(if $(SANITIZE),-pie,-static-pie) \
          -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code,-z,pack-relative-relocs,--build-id -L$(DEPS)/lib
LDLIBS = -lhiredis_ssl -lhiredis -lyyjson -lengine -lsqlite3 -linih -lsodium -lseccomp -lssl -lcrypto -lz -lzstd -ldeflate -lm
COMPILE = $(CC) $(CPPFLAGS) $(CFLAGS)

# civetweb calls back into our guards, hence the group. The linker's remarks that getaddrinfo and dlopen want glibc's shared
# files are left out: addresses that need them are not used. (--no-warnings would hide undefined symbols too.)
LINK_LIBS = -Wl,--start-group $(B)/libretwis.a -lcivetweb -Wl,--end-group $(LDLIBS)

# --- the program -----------------------------------------------------------------------------------------------------

SRC := $(wildcard src/*.c src/*/*.c src/*/*/*.c)
OBJ := $(SRC:src/%.c=$(B)/obj/%.o)
SCRIPTS := $(sort $(wildcard src/store/scripts/*.lua))
EMBED := $(sort $(shell find web -type f ! -name '*.md' ! -name '.*') $(SCRIPTS)) \
         $(DEPS)/share/passwords.list
SANITIZER_HOOKS = $(if $(SANITIZE),tests/sanitizer_hooks.c)
EMBED_PARTS := $(wildcard src/store/scripts/include/*.lua)
EMBED_DIRS := $(shell find web -type d) src/store/scripts src/store/scripts/include

.DEFAULT_GOAL := all
.PHONY: all deps run run-demo test unit e2e soak browser package-test mutate lint fmt asan tsan fuzz bench deb clean distclean help FORCE
.DELETE_ON_ERROR:

all: $(B)/retwis ## builds build/retwis

# Stripped; what a debugger needs lies beside it and is found by the link in the program.
$(B)/retwis: $(B)/retwis.full
	$(Q)objcopy --only-keep-debug $< $@.debug
	$(Q)objcopy --strip-all --add-gnu-debuglink=$@.debug $< $@.new
	$(Q)size=$$(stat -c %s $@.new); test $(if $(SANITIZE),0,$$size) -le $(MAX_SIZE) || \
	    { echo "$@ would have $$size bytes, more than $(MAX_SIZE)" >&2; exit 1; }
	$(Q)mv $@.new $@

$(B)/retwis.full: $(B)/obj/main.o $(SANITIZER_HOOKS) $(B)/libretwis.a $(DEPS)/sbom.tsv
	$(call say,  LINK  $(B)/retwis)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $(filter %.o %.c,$^) $(LINK_LIBS) 2> $@.log || { cat $@.log >&2; exit 1; }
	$(Q)sed '/: in function /d; /statically linked applications requires/d' $@.log >&2

# All but main.o, so that each unit test takes just what it uses.
$(B)/libretwis.a: $(filter-out $(B)/obj/main.o,$(OBJ)) $(B)/obj/embedded.o $(B)/obj/calls.o
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/obj/%.o: src/%.c $(B)/flags | $(DEPS)/sbom.tsv $(B)/generated/made
	$(call say,  CC    $<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(if $(WERROR),-Werror) -MMD -MP -c $< -o $@

# What `retwis version` says about libraries that do not know it themselves: those of the manifest with their patches.
$(B)/obj/command/version.o: packaging/deps/manifest
$(B)/obj/command/version.o: CPPFLAGS += \
    -DRETWIS_INIH='"$(shell dpkg-query -W -f '$${Version}' libinih-dev 2>/dev/null)"' \
    -DRETWIS_ZXCVBN='"$(shell dpkg-query -W -f '$${Version}' python3-zxcvbn 2>/dev/null)"' \
    -DRETWIS_SOURCES='"$(shell awk '$$1 !~ /^[a-z]+(\.debian)?$$/ { next } \
        sub(/\.debian/, "", $$1) { printf ", security patches of %s", $$2; next } \
        { printf "%s%-10s %s", n++ ? "\\n" : "", $$1, $$2 } END { print "\\n" }' packaging/deps/manifest)"'

$(B)/obj/embedded.o: $(B)/embedded.c $(B)/flags
	$(Q)mkdir -p $(@D) && $(COMPILE) -c $< -o $@

$(B)/obj/calls.o: $(B)/generated/made $(B)/flags
	$(Q)mkdir -p $(@D) && $(COMPILE) $(if $(WERROR),-Werror) -MMD -MP -c $(B)/generated/store/calls.c -o $@

# How C calls the scripts (store/calls.h); files whose contents stay the same are left alone.
$(B)/generated/made: $(B)/embed $(SCRIPTS) $(EMBED_PARTS) $(EMBED_DIRS)
	$(Q)mkdir -p $(B)/generated/store && $(B)/embed --calls $(B)/generated/store $(SCRIPTS) && touch $@

# These are made beside it: make is to look at their times again when that has run, or objects of the same run keep the old ones.
$(B)/generated/store/calls.h $(B)/generated/store/script_ids.h: $(B)/generated/made ;

$(B)/embedded.c: $(B)/embed $(EMBED) $(EMBED_PARTS) $(EMBED_DIRS)
	$(call say,  EMBED $(words $(EMBED)) files)
	$(Q)$(B)/embed $@ $(EMBED)

$(B)/embed: $(wildcard embed/*.[ch]) src/store/keys.h src/store/record.h src/store/answer.h | $(DEPS)/sbom.tsv
	$(Q)mkdir -p $(B) && $(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g $(WARN) $(if $(WERROR),-Werror) -Isrc $(filter %.c,$^) \
	    -o $@ -lcrypto -ldeflate

# Changes, and so rebuilds everything, only when the flags do.
$(B)/flags: FORCE
	$(Q)mkdir -p $(B) && new=$@.$$$$ && echo '$(subst ','\'',$(COMPILE) $(LDFLAGS) $(LDLIBS))' > $$new && \
	    if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

$(DEPS)/sbom.tsv: $(filter deps,$(MAKECMDGOALS))
	@test -f $@ || { echo "The libraries are not there: run 'make deps' first." >&2; exit 1; }

$(DEPS)/share/passwords.list: | $(DEPS)/sbom.tsv ;

deps: ## installs Debian packages and builds the libraries (once, a minute or two)
	@packaging/deps/build build

# In a container root is often the only user, and .state is root's own.
AS_ROOT = $(if $(filter 0,$(shell id -u)),RETWIS_PROCESS_ALLOW_ROOT=yes)

run: deps ## builds everything and starts the site on http://localhost:8080
	@$(MAKE) all
	@mkdir -p -m 700 .state
	@echo "The data lies in .state; Ctrl-C stops the site."
	@RETWIS_STATE_DIRECTORY=$(CURDIR)/.state $(AS_ROOT) exec $(B)/retwis serve

run-demo: deps ## the same, with invented people and posts if there are none yet
	@$(MAKE) all
	@mkdir -p -m 700 .state
	@RETWIS_STATE_DIRECTORY=$(CURDIR)/.state $(B)/retwis demo fill --users 200 --posts 5000 --if-empty
	@echo "The data lies in .state; Ctrl-C stops the site."
	@RETWIS_STATE_DIRECTORY=$(CURDIR)/.state $(AS_ROOT) exec $(B)/retwis serve

# --- tests -----------------------------------------------------------------------------------------------------------

TESTS = lint unit e2e browser package-test
UNIT := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
UNIT_COMMON := $(patsubst tests/unit/%.c,$(B)/unit/%.o,$(filter-out $(wildcard tests/unit/test_*.c),$(wildcard tests/unit/*.c))) \
               $(if $(SANITIZE),$(B)/unit/sanitizer_hooks.o)
FUZZ_SOURCES := $(filter-out tests/fuzz/fuzz_main.c,$(wildcard tests/fuzz/*.c))
FUZZ_UNIT := $(FUZZ_SOURCES:tests/fuzz/%.c=$(B)/unit/fuzz/%.o)
# How much longer than usual the program may take there (tests/e2e/retwis_process.py).
SLOWNESS = $(if $(SANITIZE),3,1)
PYTEST = SLOWNESS=$(SLOWNESS) RETWIS=$(abspath $(B)/retwis) PYTHONDONTWRITEBYTECODE=1 \
         /usr/bin/python3 -m pytest -q -p no:cacheprovider -n $(JOBS)

test: ## installs what tests need, builds, runs all of: lint unit e2e browser package-test
	@packaging/deps/build build test browser package
	@tests/clients/fetch
	@$(MAKE) all
	@failed=; for t in $(TESTS); do echo "== $$t"; $(MAKE) $$t || failed="$$failed $$t"; done; \
	    if [ -n "$$failed" ]; then echo "== failed:$$failed" >&2; exit 1; fi; echo "== all passed: $(TESTS)"

unit: $(UNIT) ## unit tests (cmocka)
	@SLOWNESS=$(SLOWNESS) RETWIS=$(abspath $(B)/retwis) tests/unit/run $(UNIT)

# One source in each call of the compiler: of several, -MF would keep the headers of the last alone.
COMPILE_TEST = mkdir -p $(@D) && $(COMPILE) $(if $(WERROR),-Werror) -Itests/unit -MMD -MP -MF $@.d $<

$(B)/unit/%: tests/unit/%.c $(UNIT_COMMON) $(B)/libretwis.a
	$(call say,  CC    $<)
	$(Q)$(COMPILE_TEST) $(filter %.o,$^) -o $@ $(filter-out -static-pie,$(LDFLAGS)) -pie $(LINK_LIBS) -lcmocka

$(B)/unit/%.o: tests/unit/%.c $(B)/flags | $(DEPS)/sbom.tsv $(B)/generated/made
	$(Q)$(COMPILE_TEST) -c -o $@

$(B)/unit/sanitizer_hooks.o: tests/sanitizer_hooks.c $(B)/flags
	$(Q)$(COMPILE_TEST) -c -o $@

.SECONDARY: $(UNIT_COMMON) $(FUZZ_UNIT)

$(B)/unit/fuzz/%.o: tests/fuzz/%.c $(B)/flags | $(DEPS)/sbom.tsv $(B)/generated/made
	$(Q)$(COMPILE_TEST) -c -o $@

$(B)/unit/test_fuzz_corpora: $(FUZZ_UNIT)

e2e: all ## tests over HTTP against the program
	@$(PYTEST) tests/e2e

SOAK_MINUTES ?= 30
# Of the server, and as many of the engine, in each of the three modes.
SOAK_KILLS ?= 100
soak: all ## long: random histories and random requests for SOAK_MINUTES (30) each, 3 * SOAK_KILLS (100) kill -9 under load
	@RETWIS_SOAK=$(SOAK_MINUTES) RETWIS_KILLS=$(SOAK_KILLS) $(PYTEST) -rP --show-capture=stdout \
	    tests/e2e/test_property.py tests/e2e/test_property_pair.py tests/e2e/test_fuzz.py tests/e2e/test_crashes.py

# A browser is several processes by itself.
BROWSERS ?= 3
browser: all ## tests in a real browser
	@$(PYTEST) -n $(BROWSERS) tests/browser

package-test: ## builds the .deb and tests it in a booted system
	@tests/package/run

mutate: ## long: makes small wrong changes in a copy and looks whether a test notices; MUTANTS="social 12-20": only these
	@tests/mutate/run

lint: $(B)/generated/made | $(DEPS)/sbom.tsv ## layers, headers, format, static checks, templates
	@$(B)/embed --lint $(B)/generated/store $(SCRIPTS)
	@tests/lint/run $(CC) -std=c11 $(CPPFLAGS) -Wall -Wextra
	@$(PYTEST) -n 0 tests/view

fmt: ## formats the C sources in place, or only FILES="..."
	@clang-format -i $(or $(FILES),$$(git ls-files -co --exclude-standard '*.c' '*.h'))

# One after the other: side by side they would take each other's time, and mix their words.
watched = +@failed=0; for t in unit e2e; do $(MAKE) B=build/$(1) SANITIZE=$(2) $$t || failed=1; done; exit $$failed

# The libraries and the engine in these programs are the ordinary ones: only our own code is watched.
asan: ## unit and e2e tests with AddressSanitizer and UBSan
	$(call watched,asan,address$(comma)undefined)

tsan: ## unit and e2e tests with ThreadSanitizer
	$(call watched,tsan,thread)

FUZZ_SECONDS ?= 60
fuzz: ## invents inputs against each promise of tests/fuzz, FUZZ_SECONDS (60) each; FUZZ="form host": only these
	@packaging/deps/build build fuzz
	@$(MAKE) B=build/fuzz CC=clang SANITIZE=fuzzer-no-link$(comma)address$(comma)undefined build/fuzz/fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run build/fuzz/fuzz build/fuzz/found $(FUZZ)

$(B)/fuzz: $(FUZZ_SOURCES) tests/fuzz/fuzz_main.c tests/fuzz/fuzz.h $(B)/libretwis.a
	$(call say,  LINK  $@)
	$(Q)$(COMPILE) -fsanitize=fuzzer $(FUZZ_SOURCES) tests/fuzz/fuzz_main.c -o $@ \
	    $(filter-out -static-pie,$(LDFLAGS)) $(LINK_LIBS)

bench: all ## measures throughput and latency
	@packaging/deps/build build test bench
	@tests/bench/run

deb: ## builds the Debian package
	@packaging/build-deb

# --- the rest --------------------------------------------------------------------------------------------------------

clean: ## removes what was built here
	rm -rf build

distclean: clean ## also the data of `make run` and the built libraries of this version
	rm -rf .state $(DEPS)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

-include $(OBJ:.o=.d) $(B)/obj/calls.d $(UNIT:=.d) $(UNIT_COMMON:=.d) $(FUZZ_UNIT:=.d)
