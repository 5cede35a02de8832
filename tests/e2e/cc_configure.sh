#!/bin/sh
# cfuzz-cc under configure: tests that compile, link and run small programs
# with a main of their own give the answers that the compiler alone gives.

. "$(dirname "$0")/cc_lib.sh"

# What configure scripts do, by hand: check NAME yes|no HOW FLAGS, program on
# stdin. HOW is compile, link or run; with `strict` any message means no.
check()
{
	name=$1 expect=$2 how=$3
	shift 3
	{
		echo '#define PACKAGE "x"'
		cat
	} >conftest.c
	rm -f conftest.o conftest
	answer=no
	case $how in
	compile) set -- -c "$@" conftest.c ;;
	*) set -- -o conftest "$@" conftest.c ;;
	esac
	# shellcheck disable=SC2086 # none or one
	if cfuzz-cc "$@" $libs >conftest.out 2>conftest.err &&
		[ ! -s conftest.err ]; then
		case $how in
		run) ./conftest >conftest.out 2>conftest.err && answer=yes ;;
		*) answer=yes ;;
		esac
	fi
	[ "$answer" = "$expect" ] || {
		cat conftest.err >&2
		fail "checking $name: $answer"
	}
}

by_hand()
{
	libs=
	check 'whether the compiler works' yes run <<'EOF'
int main(void) { return 0; }
EOF
	check 'for a failing program' no run <<'EOF'
int main(void) { return 1; }
EOF
	check 'size of long' yes compile <<'EOF'
int size[sizeof(long) == 8 ? 1 : -1];
EOF
	check 'for a declaration that is not there' no compile -Werror <<'EOF'
int main(void) { return no_such_function(); }
EOF
	check 'for a function that is not there' no link <<'EOF'
char no_such_function(void);
int main(void) { return no_such_function(); }
EOF
	check 'for strlcpy_no in libc' no link <<'EOF'
char strlcpy_no(void);
int main(void) { return strlcpy_no(); }
EOF
	check 'for fork' yes run <<'EOF'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}
EOF
	check 'for an option that is not there' no compile \
		-Werror -Wno-such-thing -fno-such-option <<'EOF'
int x;
EOF
	check 'for -fvisibility' yes compile -Werror -fvisibility=hidden <<'EOF'
int x;
EOF
	check 'for -Wl,-z,relro' yes link -Wl,-z,relro <<'EOF'
int main(void) { return 0; }
EOF
	check 'for a linker option that is not there' no link \
		-Wl,--no-such-option <<'EOF'
int main(void) { return 0; }
EOF
	check 'for -shared' yes link -shared -fPIC -Wl,-z,defs <<'EOF'
int f(int a); int f(int a) { return a > 2; }
EOF
	check 'for threads' yes run -pthread <<'EOF'
#include <pthread.h>
static void *go(void *p) { return p; }
int main(void)
{
	pthread_t t;
	return pthread_create(&t, 0, go, 0) || pthread_join(t, 0);
}
EOF
	libs=-lm
	check 'for pow in -lm' yes link <<'EOF'
double pow(double, double);
int main(int c, char **v) { (void)v; return pow(c, c) > 2; }
EOF
	libs=-lno_such_library
	check 'for a library that is not there' no link <<'EOF'
int main(void) { return 0; }
EOF
}

# And the real thing.
autoconf_project()
{
	if ! has autoconf; then
		skip 'autoconf is not installed'
		return
	fi
	write_source target.c lib.c lib.h
	cat >configure.ac <<'EOF'
AC_INIT([x], [1])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_CPP
AC_C_BIGENDIAN
AC_CHECK_SIZEOF([long])
AC_CHECK_HEADERS([stdio.h no_such_header.h])
AC_CHECK_FUNCS([mmap no_such_function])
AC_SEARCH_LIBS([pow], [m])
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOF
	cat >Makefile.in <<'EOF'
target: target.o lib.o
	@CC@ @CFLAGS@ -o $@ target.o lib.o @LIBS@
.c.o:
	@CC@ @CFLAGS@ @DEFS@ -c $<
EOF
	quiet autoheader
	quiet autoconf
	quiet ./configure CC=cfuzz-cc CXX=cfuzz-c++
	for want in 'define HAVE_MMAP 1' 'define HAVE_STDIO_H 1' \
		'define SIZEOF_LONG 8' 'undef HAVE_NO_SUCH_FUNCTION' \
		'undef HAVE_NO_SUCH_HEADER_H'; do
		grep -q "$want" config.h || fail "config.h: no $want"
	done
	quiet make
	replays ./target
}

# A shared and a static library the long way.
libtool_project()
{
	if ! has libtoolize || ! has automake || ! has autoreconf; then
		skip 'automake and libtool are not installed'
		return
	fi
	write_source target.c target.cc lib.c lib.h
	mv target.cc cxx.cc
	cat >configure.ac <<'EOF'
AC_INIT([x], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOF
	cat >Makefile.am <<'EOF'
noinst_PROGRAMS = target target-static target-cxx
lib_LTLIBRARIES = libx.la
libx_la_SOURCES = lib.c
libx_la_LDFLAGS = -no-undefined -version-info 1:0:0 -Wl,-z,defs
target_SOURCES = target.c
target_LDADD = libx.la
target_static_SOURCES = target.c
target_static_LDADD = libx.la
target_static_LDFLAGS = -static
target_cxx_SOURCES = cxx.cc
EOF
	quiet autoreconf -i
	quiet ./configure CC=cfuzz-cc CXX=cfuzz-c++
	quiet make -j 2
	instrumented .libs/libx.so
	instrumented .libs/libx.a
	exports target-static
	for target in target target-static target-cxx; do
		replays ./$target
	done
}

each by_hand
each autoconf_project
each libtool_project
