# cfuzz: `make` builds into build/, `make check` tests, `make demo` shows it.
#
# Every folder of src/ is a layer and becomes one archive; what a folder holds
# is found by wildcard, so a new file needs no line here. A variant has a build
# folder of its own: `make SAN=address,undefined`, `make CC=clang BUILD=...`.
# `make help` lists the targets, V=1 shows the commands.

VERSION  = 0.1.0
PREFIX   = /usr/local
BINDIR   = $(PREFIX)/bin
LIBDIR   = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
DATADIR  = $(PREFIX)/share/cfuzz
MANDIR   = $(PREFIX)/share/man

OBJCOPY  = objcopy
CFLAGS   = $(if $(SAN),-O1,-O2) -g
comma   := ,
BUILD    = build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PRECIOUS: $(BUILD)/obj/%.o
MAKEFLAGS += --no-builtin-rules --no-print-directory
$(if $(filter clean,$(MAKECMDGOALS)),$(eval .NOTPARALLEL:))

# ---- flags -----------------------------------------------------------------
WARNINGS = -Wall -Wextra -Wno-unused-parameter -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wformat=2 -Wundef -Wvla $(if $(WERROR),-Werror)
CPP_ALL  = -D_GNU_SOURCE= -Isrc -Iinclude -I. $(CPPFLAGS)
SAN_ALL  = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
# Where the installed files will be: CFUZZ_LIBDIR and so on.
PATHS    = -DCFUZZ_VERSION='"$(VERSION)"' \
	$(foreach d,BIN LIB INCLUDE DATA,-DCFUZZ_$dDIR='"$($dDIR)"')
HOST     = -std=gnu11 $(WARNINGS) $(CPP_ALL) $(PATHS) $(pkg_cflags) $(CFLAGS) \
	$(SAN_ALL)
test_flags = $(if $(filter tests/%,$<),-Itests/unit -Itests \
	-DTEST_DATA='"$(CURDIR)/tests/data"') $(if $(filter tests/fuzz/%,$<),-DFUZZ_ALONE)
# The runtime stands inside the program under test: never instrumented, all
# of its names hidden, whatever the variant. What it calls is bound at the
# start (no-plt), not by each child anew.
RUNTIME  = -std=gnu11 $(WARNINGS) $(CPP_ALL) -DCFUZZ_VERSION='"$(VERSION)"' \
	-DCFUZZ_BINDIR='"$(BINDIR)"' \
	-O2 -g -fPIC -fvisibility=hidden -fno-stack-protector \
	-fno-omit-frame-pointer -ffunction-sections -fno-lto -fno-sanitize=all \
	-fno-plt $(RUNTIME_CFLAGS)

# pkg-config is asked once, when the first recipe needs it: `make deps` must
# work on a machine that has neither it nor the libraries.
pkg      = $(shell pkg-config $(1) 2>/dev/null || echo $(2))
pkg_cflags = $(eval pkg_cflags := $(call pkg,--cflags-only-I libevent_extra \
	jansson libutf8proc libcrypto ncursesw libdw))$(pkg_cflags)
pkg_libs = $(eval pkg_libs := $(call pkg,--libs libevent_core libevent_extra jansson \
	libutf8proc,-levent_core -levent_extra -ljansson -lutf8proc))$(pkg_libs)
# Of libcrypto the hash alone, where there is a static one.
crypto = $(eval crypto := $(or $(filter /%,$(shell $(CC) \
	-print-file-name=libcrypto.a)),-lcrypto))$(crypto)
pkg_curses = $(call pkg,--libs ncursesw,-lncursesw -ltinfo)
LINK     = $(CFLAGS) $(SAN_ALL) -pthread -Wl,--as-needed $(LDFLAGS)

# ---- what there is ---------------------------------------------------------
LAYERS   = shared base control symbols coverage isolate adapter worker corpus store findings \
	engine tools ui
layer_dir = $(patsubst src/ui,ui,src/$(1))
# depths FOLDER,PATTERN: the files there and in sub-folders
depths   = $(wildcard $(1)/$(2) $(1)/*/$(2) $(1)/*/*/$(2) $(1)/*/*/*/$(2))
sources  = $(filter-out ui/main.c,$(sort $(call depths,$(call layer_dir,$(1)),*.c)))
objects  = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
# For libcfuzz-preload.so alone.
preloaded = preload preload_signals
# Objects of their own in the archive: the runtime sees whether a program calls them.
called   = driver program/deferred program/loop program/testcase program/iter
runtime  = $(patsubst src/%.c,$(BUILD)/runtime/%.o,$(sort $(filter-out \
	src/target/hooks/strings.c $(preloaded:%=src/target/traps/%.c) \
	$(called:%=src/target/%.c),$(call depths,src/target,*.c) \
	$(call depths,src/shared,*.c))))
# Functions that the runtime gives a target, and for itself has as plain_*().
strings  = bcmp memcmp memmem strcasecmp strcasestr strcmp strncasecmp strncmp \
	strstr
if_any   = $(if $(wildcard $(1)),$(2))

archives = $(1:%=$(BUILD)/lib%.a)
CFUZZ_A  = $(and $(wildcard src/target/*.c),$(wildcard src/target/exports.txt),\
	$(BUILD)/libcfuzz.a)
PRELOAD  = $(CFUZZ_A:%.a=%-preload.so)
CC_BOTH  = $(call if_any,src/cc/*.c,$(BUILD)/cfuzz-cc $(BUILD)/cfuzz-c++)
PROGRAMS = $(call if_any,src/cli/*.c,$(BUILD)/cfuzz) \
	$(call if_any,ui/main.c,$(BUILD)/cfuzz-tui) $(CC_BOTH) \
	$(call if_any,src/adapter/*.c,$(BUILD)/cfuzz-adapter $(BUILD)/libcfuzz-crash.so)

# A test names what else it is built with in a comment: `FLAGS: -Wl,--wrap=fork`.
# A target that sanitizers need says `VARIANTS: asan ubsan` in the same way.
file_flags = $$(sed -n 's,^.*\bFLAGS: *\([^*]*\).*$$,\1,p' $(1))
UNITS    = $(patsubst tests/unit/%.c,%,$(sort $(call depths,tests/unit,test_*.c)))
E2E      = $(sort $(foreach f,$(wildcard tests/e2e/*.sh tests/e2e/*.py),\
	$(shell test -x $(f) && echo $(f))))
# Those that say `BEGUN FIRST` wait for limits of time, or have much to do:
# others are done meanwhile.
LONG     = $(shell grep -ls 'BEGUN FIRST' $(E2E))
CHECKS   = layers circles owners sizes names headers exports globals format man words acceptance mutants_apply
variants = $(patsubst tests/targets/%,$(BUILD)/targets/%.$(1),$(basename \
	$(shell grep -ls 'VARIANTS:.*\b$(1)\b' tests/targets/*.c tests/targets/*.cc)))
TARGETS  = $(patsubst tests/targets/%,$(BUILD)/targets/%,$(basename \
	$(wildcard tests/targets/*.c tests/targets/*.cc))) \
	$(foreach v,asan ubsan tsan $(if $(shell command -v clang),msan),\
	$(call variants,$(v)))

# ---- rules -----------------------------------------------------------------
say      = $(if $(V),,@printf '%-8s %s\n' '$(1)' '$(2)';)
keep     = @mkdir -p $(@D); echo '$(subst ','\'',$(1))' | cmp -s - $@ || \
	echo '$(subst ','\'',$(1))' >$@

.PHONY: all check fuzz-self fuzz-targets check-mutants test-unit test-e2e tests targets deps demo tour check-real check-faults check-durability bench bench-min \
	monkey soak coverage install uninstall dist clean help FORCE
all: $(call archives,$(LAYERS)) $(PROGRAMS) $(CFUZZ_A) $(PRELOAD) ## build everything

# Once, before the first file is compiled: a machine that lacks something is told
# what to do, not only which header is missing.
$(BUILD)/headers.seen:
	@mkdir -p $(@D); printf '#include <%s>\n' event2/event.h jansson.h utf8proc.h \
		openssl/sha.h curses.h elfutils/libdwfl.h | \
		$(CC) $(CPPFLAGS) $(pkg_cflags) -E -x c - >/dev/null && touch $@ || \
		{ echo 'what cfuzz needs to be built is missing: run make deps' >&2; exit 1; }

$(BUILD)/obj/%.o: %.c $(BUILD)/host.flags | $(BUILD)/headers.seen
	$(call say,CC,$<)mkdir -p $(@D) && $(CC) $(HOST) $(test_flags) \
		-MMD -MP -c -o $@ $<

# The themes and the page are in the program; the compiler does not see that it
# reads them.
$(BUILD)/obj/src/cli/report/report_html.o: src/cli/report/report.css
$(BUILD)/obj/src/engine/web/web_page.o: $(wildcard src/engine/web/page/*)
$(BUILD)/obj/ui/term/theme_builtin.o: $(wildcard themes/*.json)

$(BUILD)/runtime/%.o: src/%.c $(BUILD)/runtime.flags | $(BUILD)/headers.seen
	$(call say,CC rt,$<)mkdir -p $(@D) && $(CC) $(RUNTIME) -MMD -MP -c -o $@ $<

$(BUILD)/host.flags: FORCE
	$(call keep,$(CC) $(HOST))
$(BUILD)/runtime.flags: FORCE
	$(call keep,$(CC) $(RUNTIME))

# An archive also depends on its list of members, which changes when a source
# file is removed.
define archive_rule
$(BUILD)/lib$(1).list: FORCE
	$$(call keep,$(2))
$(BUILD)/lib$(1).a: $(2) $(BUILD)/lib$(1).list
	$$(call say,AR,$$@)rm -f $$@ && $(AR) rcs $$@ $(2)
endef
$(foreach l,$(LAYERS),$(eval $(call archive_rule,$l,$(call objects,$(call sources,$l)))))
$(eval $(call archive_rule,target-test,$(runtime)))

# What a program or a test is linked from: its objects, the archives of its
# layer and of all below, the libraries that these use.
below_shared  = base shared# of base, its tests take the hash
below_base    = base shared
below_isolate = isolate $(below_base)
below_symbols = symbols $(below_base)
below_control = control $(below_base)
below_coverage = coverage symbols $(below_control)
below_worker  = worker isolate adapter $(below_control)
below_corpus  = corpus $(below_worker)
below_store   = store $(below_worker)
below_findings = findings corpus symbols $(below_store)
below_engine  = engine $(below_findings)
below_tools   = tools coverage $(below_engine)
below_ui      = ui $(below_tools)
below_cli     = $(below_tools)
below_cc      = $(below_base)
below_target  = target-test
below_adapter = adapter target-test
link     = $(call say,LINK,$@)mkdir -p $(@D) && $(CC) $(LINK) -o $@ \
	$(filter %.o,$^) $(2) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
	$(3) $(pkg_libs) $(crypto) $(if $(filter ui,$(1)),$(pkg_curses)) -lm -ldl $(LDLIBS)
define program_rule
$(BUILD)/$(1): $(call objects,$(wildcard $(2))) $(call archives,$(below_$(3)))
	$$(call link,$(3))
endef
$(eval $(call program_rule,cfuzz,src/cli/*.c src/cli/*/*.c,cli))
$(eval $(call program_rule,cfuzz-tui,ui/main.c,ui))
$(eval $(call program_rule,cfuzz-cc,src/cc/*.c,cc))
# Loaded into programs that cfuzz did not build, with an unwinder of its own. It
# has few segments, because each run of such a program copies their mappings.
$(BUILD)/libcfuzz-crash.so: $(patsubst src/%.c,$(BUILD)/runtime/%.o,$(wildcard src/preload/*.c)) \
		$(BUILD)/libtarget-test.a
	$(call say,LINK,$@)$(CC) -shared -static-libgcc -Wl,--exclude-libs,ALL \
		-Wl,-z,now,-z,norelro,-z,noseparate-code,--gc-sections \
		$(addprefix -Wl$(comma)-u$(comma),$(unwind)) -o $@ $^
$(eval $(call program_rule,cfuzz-adapter,src/adapter/*.c,adapter))

$(BUILD)/cfuzz-c++: $(BUILD)/cfuzz-cc
	$(call say,LINK,$@)ln -sf $(<F) $@

# One relocatable object with a private copy of jansson, whose inner names are
# hidden from ours; only the names of exports.txt stay visible, weak ones weak.
# It has an unwinder of its own, if the compiler has a static one, for programs
# that have none: each mapping of one more library makes the fork of a run slower.
# What it compares is no business of the target's memcmp(): it has its own, and
# asks for the others only so that the second object is linked, with those for
# the target, unless a sanitizer or the target has them. Its code is one section:
# so a stack is known to be in it. Those that are called are linked when the
# program calls them, the last one with any of the first two.
JANSSON_A = $(shell $(CC) -print-file-name=libjansson.a)
UNWIND_A = $(filter /%,$(shell $(CC) -print-file-name=libgcc_eh.a))
unwind  = $(addprefix _Unwind_,Backtrace GetIP GetCFA FindEnclosingFunction)
show = $(OBJCOPY) --keep-global-symbols='$(CURDIR)/src/target/exports.txt' \
	$(RUNTIME_SHOWN)
$(BUILD)/libcfuzz.a: $(runtime) $(BUILD)/runtime/target/hooks/strings.o \
		$(called:%=$(BUILD)/runtime/target/%.o) src/target/exports.txt
	$(call say,AR,$@)case '$(JANSSON_A)' in /*) ;; *) echo \
		'libjansson.a, the static library, is missing: run make deps' >&2; \
		exit 1;; esac; rm -f $@ && cd $(BUILD)/runtime && \
	$(LD) -r -o json-all.o --whole-archive '$(JANSSON_A)' && \
	$(OBJCOPY) -w --keep-global-symbol='json_*' json-all.o json.o && \
	$(if $(UNWIND_A),$(LD) -r -o unwind-all.o $(unwind:%=-u %) '$(UNWIND_A)' && \
	$(OBJCOPY) $(foreach f,$(unwind),--keep-global-symbol=own$f --redefine-sym $f=own$f) \
		unwind-all.o unwind.o &&) \
	$(LD) -r -o own.o json.o $(if $(UNWIND_A),unwind.o) $(filter-out target/hooks/plain.o target/hooks/strings_on.o,\
		$(runtime:$(BUILD)/runtime/%=%)) $(RUNTIME_LIBS) && \
	$(OBJCOPY) $(foreach f,$(strings),--redefine-sym $f=plain_$f) own.o && \
	echo 'SECTIONS { cfuzz_text : { *(.text .text.*) } $(RUNTIME_SECTIONS) }' >text.ld && \
	$(LD) -r -T text.ld -o all.o own.o target/hooks/plain.o $(strings:%=-u %) && \
	$(LD) -r -o strings.o target/hooks/strings.o target/hooks/plain.o && \
	$(show) all.o cfuzz-runtime.o && $(show) strings.o cfuzz-strings.o && \
	$(foreach o,$(called),cp target/$o.o cfuzz-$(notdir $o).o && )\
	cp target/hooks/strings_on.o cfuzz-strings-on.o && $(AR) rcs '$(abspath $@)' \
		$(patsubst %,cfuzz-%.o,runtime strings $(notdir $(called)) strings-on)

# The same runtime for programs without instrumentation, loaded by LD_PRELOAD. It
# has sigaction() and signal() for the program, so it calls the C library's by
# their other names. A shared object cannot run before all constructors. The
# static jansson is not made for a shared object, but only stdin is in its way.
$(BUILD)/libcfuzz-preload.so: $(BUILD)/libcfuzz.a src/target/traps/preload.map \
		$(preloaded:%=$(BUILD)/runtime/target/traps/%.o)
	$(call say,LINK,$@)cd $(BUILD)/runtime && \
	$(OBJCOPY) --rename-section .preinit_array=.data.rel.ro.early \
		--redefine-sym sigaction=__sigaction --redefine-sym signal=ssignal \
		--redefine-sym stdin=preload_stdin \
		own.o own-preload.o && \
	$(LD) -r -T text.ld -o all-preload.o own-preload.o target/hooks/plain.o \
		$(preloaded:%=target/traps/%.o) target/hooks/strings_on.o && \
	$(CC) -shared -Wl,-z,now -o '$(abspath $@)' all-preload.o \
		-Wl,--version-script='$(CURDIR)/src/target/traps/preload.map' \
		$(RUNTIME_LIBS:--wrap=%=-Wl,--wrap=%) -ldl

# ---- tests -----------------------------------------------------------------
# A test takes what it needs of tests/unit/lib/. Tests of a program get its
# objects; those of the runtime run and compile targets.
$(eval $(call archive_rule,test-parts,$(call objects,$(wildcard tests/unit/lib/*.c))))
beside   = $(if $(filter cc cli demo,$(1)),$(filter-out %/main.c,$(call depths,src/$(1),*.c)))
define unit_rule
$(BUILD)/tests/$(1)/%: $(BUILD)/obj/tests/unit/$(1)/%.o \
		$(call objects,$(call beside,$(1))) \
		$(call archives,test-parts $(below_$(1))) \
		$(if $(filter target,$(1)),| $(TARGETS) $(CC_BOTH) $(CFUZZ_A)) \
		$(if $(filter cc,$(1)),| $(CC_BOTH) $(CFUZZ_A)) \
		$(if $(filter ui,$(1)),| $(BUILD)/cfuzz-tui)
	$$(call link,$(1),$$(call file_flags,tests/unit/$(1)/$$*.c),-lcmocka -lvterm)
endef
$(foreach l,$(sort $(foreach u,$(UNITS),$(firstword $(subst /, ,$u)))),\
	$(eval $(call unit_rule,$l)))

target_rule = $(call say,TARGET,$@)mkdir -p $(@D) && $(BUILD)/$(1) -g -O1 $(2) \
	-Iinclude -o $@ $< $(call file_flags,$<)
define target_rules
$(BUILD)/targets/%$(1): tests/targets/%.c $(CC_BOTH) $(CFUZZ_A)
	$$(call target_rule,cfuzz-cc,$(2))
$(BUILD)/targets/%$(1): tests/targets/%.cc $(CC_BOTH) $(CFUZZ_A)
	$$(call target_rule,cfuzz-c++,$(2))
endef
$(eval $(call target_rules,.asan,-fsanitize=address))
$(eval $(call target_rules,.ubsan,-fsanitize=undefined))
$(eval $(call target_rules,.msan,-fsanitize=memory))
$(eval $(call target_rules,.tsan,-fsanitize=thread))
$(eval $(call target_rules))

$(BUILD)/demo: $(wildcard src/demo/*.[ch]) $(CC_BOTH) $(CFUZZ_A)
	$(call say,TARGET,$@)$(BUILD)/cfuzz-cc -g -O1 -fsanitize=address -Iinclude \
		-o $@ $(filter src/demo/%.c,$^)

ENV = CFUZZ_SRC='$(CURDIR)' CFUZZ_BUILD='$(abspath $(BUILD))' CC='$(CC)'
# More than there are processors, as most tests wait for something.
TEST_JOBS = $(shell expr $$(nproc 2>/dev/null || echo 2) + 4)
# The command that repeats one test is in this variant: CC=clang, SAN=address.
RUN = $(ENV) JOBS='$(TEST_JOBS)' V='$(V)$(T)$(E)' \
	REPEAT='$(strip make $(foreach v,CC SAN BUILD,$(if $(filter \
	command%,$(origin $v)),$v=$($v))))' sh tests/run.sh
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
picked_units = $(or $(T),$(UNITS))
picked_e2e = $(filter tests/e2e/$(or $(E),%).sh tests/e2e/$(or $(E),%).py,$(E2E))

check: ## set up what is missing, then run the tests
	+@sh src/deps.sh check && $(MAKE) $(PARALLEL) all tests targets
	@$(RUN) $(LONG:%=e2e:%) $(CHECKS:%=check:%) $(UNITS:%=unit:%) \
		$(patsubst %,e2e:%,$(filter-out $(LONG),$(E2E)))
test-unit: $(picked_units:%=$(BUILD)/tests/%) ## unit tests; T=shared/test_x for one
	@$(RUN) $(picked_units:%=unit:%)
test-e2e: all targets ## end-to-end tests; E=name for one
	@$(RUN) $(patsubst %,e2e:%,$(filter $(LONG),$(picked_e2e)) \
		$(filter-out $(LONG),$(picked_e2e)))
tests: $(UNITS:%=$(BUILD)/tests/%)
targets: $(TARGETS) $(call if_any,src/demo/*.c,$(BUILD)/demo)
$(CHECKS:%=check-%) check-tidy: check-%:
	@$(ENV) sh tests/checks/$*.sh || [ $$? -eq 77 ]
check-exports check-globals: $(CFUZZ_A)
check-real: ## fuzz real libraries; takes minutes
	+@sh src/deps.sh build && $(MAKE) $(PARALLEL) all
	@$(ENV) tests/real/run.sh
	@$(ENV) tests/real/bugs.sh
check-faults: ## provoke every known fault; takes minutes, FAULTS='A13 ...' some
	+@sh src/deps.sh check && $(MAKE) $(PARALLEL) all $(BUILD)/tests/control/test_frame \
		$(BUILD)/tests/control/test_query_json
	@$(ENV) tests/faults/faults.py $(if $(JSON),--json '$(JSON)') $(FAULTS)
check-durability: ## let each call of the engine fail; takes hours, DURABILITY='write once' some
	+@sh src/deps.sh check && $(MAKE) $(PARALLEL) all
	@$(ENV) tests/durability/durability.py $(DURABILITY)
monkey: ## 100 000 random events on the console; takes minutes
	+@$(MAKE) $(PARALLEL) all
	@$(ENV) MONKEY_EVENTS=100000 tests/e2e/monkey.py
soak: ## two hours each of one campaign and of many, with all kinds of faults
	+@$(MAKE) $(PARALLEL) all
	@$(ENV) SOAK_SECONDS=$(or $(SOAK_SECONDS),7200) tests/e2e/endure.py
	@$(ENV) SOAK_SECONDS=$(or $(SOAK_SECONDS),7200) tests/e2e/run_soak.py
bench: ## measure speed and overhead
	+@sh src/deps.sh build && $(MAKE) $(PARALLEL) all \
		$(BUILD)/tests/ui/console/test_launcher
	@$(ENV) tests/bench/run.sh
bench-min: ## minimize a failing input, beside afl-tmin and libFuzzer
	+@sh src/deps.sh build && $(MAKE) $(PARALLEL) all
	@$(ENV) BENCH_JSON=bench-min.json tests/bench/run.sh minimize
check-mutants: ## break the product on purpose, see that tests notice; M=word for some
	+@sh src/deps.sh check
	@tests/mutants/run.py $(M)
# All processes of a program share its counters, see counted.c. The runtime has
# its own in a target.
counted  = $(CURDIR)/build/coverage/obj/tests/checks/counted.o
counters = -fdata-sections $(addprefix -fno-builtin-,fork execl execle execlp \
	execv execve execvp)
cover    = GCOV_ERROR_FILE=/dev/null $(MAKE) BUILD=build/coverage \
	CFLAGS='-O0 -g --coverage $(counters)' \
	LDLIBS='-Wl,--wrap=_exit -Wl,-T,tests/checks/counted.ld $(counted)' \
	RUNTIME_CFLAGS='-Og --coverage $(counters)' RUNTIME_LIBS='--wrap=_exit \
		$(counted) $(shell $(CC) -print-file-name=libgcov.a)' \
	RUNTIME_SECTIONS='$(shell sed '1d;$$d' tests/checks/counted.ld)' \
	RUNTIME_SHOWN='$(addprefix --keep-global-symbol=__gcov_,init exit merge_add)'
coverage: ## lines of each file and folder that unit tests reach; T=base/test_x some
	+@$(cover) $(counted:$(CURDIR)/%=%)
	+@$(cover) test-unit || true
	@sh tests/checks/coverage.sh build/coverage
deps: ## install what the build needs and this machine lacks
	@sh src/deps.sh build
tour: ## open the demo, and show a first-time user around
	+@$(MAKE) demo TOUR=1
demo: ## set up, build, and open the console on a small buggy parser
	+@sh src/deps.sh build && $(MAKE) $(PARALLEL) all $(BUILD)/demo
	@$(BUILD)/cfuzz-tui $(if $(TOUR),--tour) \
		-o $(BUILD)/demo$(if $(TOUR),-tour-$$(date +%s)).cfuzz \
		--dict '$(CURDIR)/src/demo/tiles.dict' $(BUILD)/demo || [ $$? -eq 1 ]

# The parsers of our own, fuzzed by ourselves: everything is built once more, by
# cfuzz-cc and with sanitizers, in a folder of its own.
FUZZ_TARGETS = $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/*.c))
$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(call archives,$(below_ui))
	$(call link,ui)
fuzz-targets: $(FUZZ_TARGETS)
fuzz-self: ## fuzz our own parsers: TIME=60s for each, F=name for one
	+@sh src/deps.sh check && $(MAKE) $(PARALLEL) all && \
		CFUZZ_QUIET=1 $(MAKE) $(PARALLEL) BUILD=build/self SAN=address,undefined \
		CC='$(abspath $(BUILD))/cfuzz-cc' fuzz-targets
	@$(ENV) TIME='$(TIME)' tests/fuzz/run.py $(F)

# ---- the rest --------------------------------------------------------------
install: all $(BUILD)/demo ## install under PREFIX, honours DESTDIR
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(INCLUDEDIR)' \
		'$(DESTDIR)$(DATADIR)/themes'
	install -m 755 $(BUILD)/cfuzz $(BUILD)/cfuzz-tui $(BUILD)/cfuzz-cc \
		$(BUILD)/cfuzz-adapter '$(DESTDIR)$(BINDIR)'
	ln -sf cfuzz-cc '$(DESTDIR)$(BINDIR)/cfuzz-c++'
	install -m 644 $(BUILD)/libcfuzz.a $(BUILD)/libcfuzz-crash.so $(PRELOAD) \
		'$(DESTDIR)$(LIBDIR)'
	install -D -m 755 $(BUILD)/demo '$(DESTDIR)$(LIBDIR)/cfuzz/demo'
	install -m 644 include/cfuzz.h include/cfuzz_value.h '$(DESTDIR)$(INCLUDEDIR)'
	install -D -m 644 include/cfuzz/libhfuzz/libhfuzz.h \
		'$(DESTDIR)$(INCLUDEDIR)/cfuzz/libhfuzz/libhfuzz.h'
	install -m 644 $(wildcard themes/*) '$(DESTDIR)$(DATADIR)/themes'
	install -m 644 man/grafana.json '$(DESTDIR)$(DATADIR)'
	install -d '$(DESTDIR)$(DATADIR)/ci'
	install -m 644 $(wildcard man/ci/*) '$(DESTDIR)$(DATADIR)/ci'
	for page in $(wildcard man/*.[1-9]); do install -D -m 644 $$page \
		'$(DESTDIR)$(MANDIR)'/man$${page##*.}/$${page##*/} || exit 1; done
uninstall: ## remove what install put there
	rm -f $(addprefix '$(DESTDIR)$(BINDIR)'/,cfuzz cfuzz-tui cfuzz-cc cfuzz-c++ \
		cfuzz-adapter) $(addprefix '$(DESTDIR)$(LIBDIR)'/,libcfuzz.a \
		libcfuzz-crash.so libcfuzz-preload.so cfuzz/demo) \
		$(addprefix '$(DESTDIR)$(INCLUDEDIR)'/,cfuzz.h cfuzz_value.h \
		cfuzz/libhfuzz/libhfuzz.h) \
		$(addprefix '$(DESTDIR)$(DATADIR)'/,$(wildcard themes/*) grafana.json \
		$(patsubst man/%,%,$(wildcard man/ci/*))) \
		$(foreach p,$(wildcard man/*.[1-9]),\
		'$(DESTDIR)$(MANDIR)'/man$(subst .,,$(suffix $p))/$(notdir $p))
	for dir in '$(DESTDIR)$(LIBDIR)'/cfuzz \
		$(addprefix '$(DESTDIR)$(INCLUDEDIR)'/,cfuzz/libhfuzz cfuzz) \
		$(addprefix '$(DESTDIR)$(DATADIR)',/themes /ci /); do \
		rmdir "$$dir" 2>/dev/null || true; done # unless others have files there
dist: ## a tar file of the committed tree
	@mkdir -p build && git archive --prefix=cfuzz-$(VERSION)/ \
		-o build/cfuzz-$(VERSION).tar.gz HEAD && ls build/cfuzz-$(VERSION).tar.gz
clean: ## remove the build folder
	rm -rf $(BUILD)
help: ## this list
	@awk -F ':.*## *' '/^[a-z0-9-]+:.*##/ { printf "%-18s%s\n", $$1, $$2 }' Makefile
	@echo 'check-X           one check, X of: $(CHECKS); tidy (slow)'

-include $(shell find $(BUILD)/obj $(BUILD)/runtime -name '*.d' 2>/dev/null)
