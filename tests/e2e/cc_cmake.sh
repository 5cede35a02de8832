#!/bin/sh
# cfuzz-cc under cmake: C and C++ in one project, a shared and a static
# library, tests that run programs while it configures.

. "$(dirname "$0")/cc_lib.sh"

if ! has cmake; then
	skip 'cmake is not installed'
	exit 77
fi

write_project()
{
	write_source target.c target.cc lib.c lib.h main.c
	cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(sample C CXX)
include(CheckCSourceRuns)
include(CheckCCompilerFlag)
include(CheckFunctionExists)
include(CheckLinkerFlag OPTIONAL)
check_c_source_runs("int main(void) { return 0; }" RUNS)
check_c_compiler_flag(-fvisibility=hidden HAS_VISIBILITY)
check_c_compiler_flag(-fno-such-flag HAS_NO_SUCH_FLAG)
check_function_exists(mmap HAS_MMAP)
check_function_exists(no_such_function HAS_NO_SUCH_FUNCTION)
foreach(yes RUNS HAS_VISIBILITY HAS_MMAP)
	if(NOT ${yes})
		message(FATAL_ERROR "${yes} should hold")
	endif()
endforeach()
foreach(no HAS_NO_SUCH_FLAG HAS_NO_SUCH_FUNCTION)
	if(${no})
		message(FATAL_ERROR "${no} should not hold")
	endif()
endforeach()
message(STATUS "id: ${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}")
set(CMAKE_SHARED_LINKER_FLAGS "-Wl,--no-undefined")
add_library(shared SHARED lib.c)
add_library(static STATIC lib.c)
add_executable(target target.c)
target_link_libraries(target shared)
add_executable(target-static target.c)
target_link_libraries(target-static static)
add_executable(target-cxx target.cc)
add_executable(program main.c)
target_link_libraries(program shared)
add_custom_command(OUTPUT generated.h
	COMMAND sh -c "./program > generated.h; test $? -eq 7"
	DEPENDS program VERBATIM)
add_custom_target(generated ALL DEPENDS generated.h)
EOF
}

cmake_project()
{
	write_project
	quiet cmake -S . -B out -DCMAKE_C_COMPILER=cfuzz-cc \
		-DCMAKE_CXX_COMPILER=cfuzz-c++ -DCMAKE_BUILD_TYPE=RelWithDebInfo
	case $CFUZZ_CC in
	clang) id='id: Clang Clang' ;;
	*) id='id: GNU GNU' ;;
	esac
	grep -q "$id" log || fail "compiler not known as $id"
	quiet cmake --build out -j 2
	instrumented out/libshared.so
	instrumented out/libstatic.a
	for target in target target-static target-cxx; do
		exports out/$target
		replays ./out/$target
	done
	grep -q 'own main, 1' out/generated.h || fail 'program did not run'
}

# The manual names the tools for cmake, which does not find them.
link_time_optimized()
{
	case $CFUZZ_CC in
	gcc) tools=gcc ;;
	*) tools=llvm ;;
	esac
	if ! has $tools-ar || ! has $tools-ranlib; then
		skip "$tools-ar and $tools-ranlib are not installed"
		return
	fi
	cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.13)
project(sample C CXX)
include(CheckIPOSupported)
check_ipo_supported()
EOF
	set --
	for language in C CXX; do
		set -- "$@" \
			"-DCMAKE_${language}_COMPILER_AR=$(command -v $tools-ar)" \
			"-DCMAKE_${language}_COMPILER_RANLIB=$(command -v $tools-ranlib)"
	done
	quiet cmake -S . -B out -DCMAKE_C_COMPILER=cfuzz-cc \
		-DCMAKE_CXX_COMPILER=cfuzz-c++ "$@"
}

# One header for the files of a program, with a fuzz target and without.
precompiled_header()
{
	write_source target.c lib.c lib.h
	cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(sample C)
add_executable(target target.c lib.c)
target_precompile_headers(target PRIVATE <stdio.h>)
target_compile_options(target PRIVATE -Winvalid-pch -Werror)
EOF
	quiet cmake -S . -B out -DCMAKE_C_COMPILER=cfuzz-cc
	quiet cmake --build out
	replays ./out/target
}

each cmake_project
each link_time_optimized
each precompiled_header
