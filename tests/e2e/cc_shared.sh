#!/bin/sh
# cfuzz-cc with shared objects: linked as libtool does it, loaded later by
# dlopen, with every linker there is; the hooks are found in the program.

. "$(dirname "$0")/cc_lib.sh"

write_loader()
{
	cat >loader.c <<'EOF'
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *module = dlopen("./module.so", RTLD_NOW);
	void (*check)(const uint8_t *, size_t);

	if (module == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	fprintf(stderr, "target: %zu bytes\n", size);
	*(void **)&check = dlsym(module, "lib_check");
	check(data, size);
	return 0;
}
EOF
}

# As libtool links, with all that forbids undefined symbols.
linked()
{
	write_source target.c lib.c lib.h
	quiet cfuzz-cc -fPIC -DPIC -fvisibility=default -c lib.c -o lib.o
	for forbid in -Wl,--no-undefined -Wl,-z,defs '-Wl,-z -Wl,defs' \
		'-z defs' '-Xlinker -z -Xlinker defs' -Wl,-O1,-z,defs,-z,now; do
		rm -f libx.so.1
		# shellcheck disable=SC2086 # a list of words
		quiet cfuzz-cc -shared -fPIC -DPIC lib.o $forbid \
			-Wl,-soname -Wl,libx.so.1 -o libx.so.1
	done
	instrumented libx.so.1
	! has_symbol libx.so.1 main || fail 'a runtime in a shared object'
	ln -sf libx.so.1 libx.so
	quiet cfuzz-cc -o target target.c -L. -lx -Wl,-rpath,"$PWD"
	replays ./target
	quiet cfuzz-cc -shared -fPIC -fvisibility=hidden -o hidden.so lib.c
	! nm -D hidden.so | grep -q ' T lib_check' || fail 'not hidden'
}

loaded()
{
	write_loader
	write_source lib.c lib.h
	quiet cfuzz-cc -shared -fPIC -o module.so lib.c
	quiet cfuzz-cc -o target loader.c -ldl
	exports target
	replays ./target
	quiet cfuzz-cc -o target loader.c -ldl -Wl,--exclude-libs,ALL \
		-Wl,--gc-sections
	exports target
	replays ./target
}

linkers()
{
	write_loader
	write_source lib.c lib.h
	for linker in bfd gold lld mold; do
		if ! "$CFUZZ_CC" -fuse-ld=$linker -Wl,--version \
			>/dev/null 2>&1; then
			skip "$CFUZZ_CC has no linker $linker here"
			continue
		fi
		quiet cfuzz-cc -fuse-ld=$linker -shared -fPIC \
			-Wl,--no-undefined -o module.so lib.c
		quiet cfuzz-cc -fuse-ld=$linker -o target loader.c -ldl
		exports target
		replays ./target
	done
}

# A C++ library with its exceptions and a C++ program.
cxx()
{
	write_source target.cc
	sed 's/^static void$/void/; /^extern/,$d' target.cc >check.cc
	{
		echo '#include <cstdint>'
		echo '#include <cstdio>'
		echo '#include <cstdlib>'
		echo '#include <string>'
		echo 'void check(const std::string &text);'
		sed -n '/^extern/,$p' target.cc
	} >target2.cc
	quiet cfuzz-c++ -shared -fPIC -Wl,-z,defs -o libcheck.so check.cc
	quiet cfuzz-c++ -o target target2.cc ./libcheck.so
	replays ./target
}

each linked
each loaded
each linkers
each cxx
