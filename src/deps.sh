#!/bin/sh
# Installs what this machine lacks to build cfuzz (`deps.sh build`), also to run
# the tests (`deps.sh check`), or also what few tests need (`deps.sh ci`), with the
# system's package manager.
#
# Looks for the commands, headers and libraries themselves, so whatever is
# there already, however it came, is left alone. Says what it installs before
# it does; says nothing when nothing is missing.

set -u

# level | what to look for | Debian | Fedora | Arch | Alpine | openSUSE
# A wish is a need whose absence stops nobody.
needs()
{
	cat <<'TABLE'
build|cmd gcc|gcc|gcc|gcc|gcc|gcc
build|hdr stdio.h|libc6-dev|glibc-devel|glibc|musl-dev|glibc-devel
build|cmd make|make|make|make|make|make
build|cmd objcopy|binutils|binutils|binutils|binutils|binutils
build|cmd pkg-config|pkg-config|pkgconf-pkg-config|pkgconf|pkgconf|pkg-config
build|hdr event2/event.h|libevent-dev|libevent-devel|libevent|libevent-dev|libevent-devel
build|hdr jansson.h|libjansson-dev|jansson-devel|jansson|jansson-dev|libjansson-devel
build|lib libjansson.a|libjansson-dev|jansson-devel|jansson|jansson-static|libjansson-devel
build|hdr utf8proc.h|libutf8proc-dev|utf8proc-devel|libutf8proc|utf8proc-dev|utf8proc-devel
build|hdr openssl/sha.h|libssl-dev|openssl-devel|openssl|openssl-dev|libopenssl-devel
build|hdr curses.h|libncurses-dev|ncurses-devel|ncurses|ncurses-dev|ncurses-devel
build|lib libncursesw.so|libncurses-dev|ncurses-devel|ncurses|ncurses-dev|ncurses-devel
build|hdr elfutils/libdwfl.h|libdw-dev|elfutils-devel|libelf|elfutils-dev|libdw-devel
wish|hdr capstone/capstone.h|libcapstone-dev|capstone-devel|capstone|capstone-dev|capstone-devel
wish|lib libasan.so|gcc|libasan libubsan|gcc|-|gcc
wish|cmd clang|clang|clang|clang|clang|clang
wish|rt libclang_rt.asan|libclang-rt-dev|compiler-rt|compiler-rt|compiler-rt|clang
check|cmd g++|g++|gcc-c++|gcc|g++|gcc-c++
check|hdr cmocka.h|libcmocka-dev|libcmocka-devel|cmocka|cmocka-dev|libcmocka-devel
check|hdr vterm.h|libvterm-dev|libvterm-devel|libvterm|libvterm-dev|libvterm-devel
check|cmd python3|python3|python3|python|python3|python3
check|cmd tmux|tmux|tmux|tmux|tmux|tmux
check|cmd ps|procps|procps-ng|procps-ng|procps|procps
check|cmd xargs|findutils|findutils|findutils|findutils|findutils
check-wish|cmd mandoc|mandoc|mandoc|mandoc|mandoc|mandoc
check-wish|cmd clang-format|clang-format|clang-tools-extra|clang|clang-extra-tools|clang
check-wish|cmd clang-tidy|clang-tidy|clang-tools-extra|clang|clang-extra-tools|clang
check-wish|cmd valgrind|valgrind|valgrind|valgrind|valgrind|valgrind
check-wish|cmd afl-clang-fast|afl++|american-fuzzy-lop|afl++|afl++|-
check-wish|cmd cmake|cmake|cmake|cmake|cmake|cmake
ci-wish|cmd genhtml|lcov|lcov|-|-|lcov
ci-wish|cmd jq|jq|jq|jq|jq|jq
ci-wish|cmd ssh|openssh-client|openssh-clients|openssh|openssh-client|openssh-clients
ci-wish|py yaml|python3-yaml|python3-pyyaml|python-yaml|py3-yaml|python3-PyYAML
server-wish|cmd /usr/sbin/sshd|openssh-server|openssh-server|openssh|openssh-server|openssh-server
TABLE
}

have()
{
	case $1 in
	cmd)
		command -v "$2" >/dev/null 2>&1
		;;
	hdr)
		echo "#include <$2>" |
			${CC:-cc} -E -x c - >/dev/null 2>&1 ||
			[ -e "/usr/include/$2" ]
		;;
	lib)
		case $(${CC:-cc} -print-file-name="$2" 2>/dev/null) in
		/*) ;;
		*) false ;;
		esac
		;;
	py)
		python3 -c "import $2" 2>/dev/null
		;;
	rt) # the sanitizers of clang are a package of their own
		set -- "$2" "$(clang -print-resource-dir 2>/dev/null)"/lib/*/"$2"*.a
		[ -e "$2" ]
		;;
	esac
}

# Print each thing of the wanted levels that is missing: "what|package".
missing()
{
	needs | while IFS='|' read -r level what debian fedora arch alpine suse; do
		case " $levels " in *" $level "*) ;; *) continue ;; esac
		have $what && continue
		case $manager in
		apt-get) package=$debian ;;
		dnf) package=$fedora ;;
		pacman) package=$arch ;;
		apk) package=$alpine ;;
		zypper) package=$suse ;;
		*) package=${what#* } ;;
		esac
		[ "$package" = - ] || echo "${what#* }|$package"
	done
}

packages()
{
	echo "$1" | cut -d '|' -f 2 | tr ' ' '\n' | sort -u | tr '\n' ' ' |
		sed 's/ $//'
}

# The command that installs $2 with the package manager $1.
install_command()
{
	case $1 in
	apt-get)
		echo "env DEBIAN_FRONTEND=noninteractive apt-get" \
			"-o DPkg::Lock::Timeout=300 install -qq -y" \
			"--no-install-recommends $2"
		;;
	dnf) echo "dnf install -q -y $2" ;;
	pacman) echo "pacman -S --needed --noconfirm $2" ;;
	apk) echo "apk add -q $2" ;;
	zypper) echo "zypper -q -n install --no-recommends $2" ;;
	esac
}

# Without the package lists apt knows no candidate.
refresh_command()
{
	case $manager in
	apt-get) echo "apt-get -o DPkg::Lock::Timeout=300 update -qq" ;;
	pacman) echo "pacman -Sy" ;;
	apk) echo "apk update -q" ;;
	*) echo true ;;
	esac
}

lists_are_missing()
{
	case $manager in
	apt-get)
		for package in $1; do
			apt-cache policy "$package" 2>/dev/null |
				grep -q 'Candidate: [^(]' || return 0
		done
		return 1
		;;
	*) false ;;
	esac
}

run()
{
	$as_root "$@" >"$log" 2>&1 </dev/null
}

fail()
{
	echo "cfuzz: $*" >&2
	exit 1
}

without_wishes()
{
	echo "$levels" | sed 's/[a-z]*-wish//g; s/wish//'
}

# A server starts when it is installed, and whenever the machine does. Where no
# init runs, as in a container, it does neither.
starts_servers()
{
	case $(cat /proc/1/comm 2>/dev/null) in
	systemd | init) ;;
	*) false ;;
	esac
}

levels='build wish'
case ${1:-build} in
build) ;;
check) levels='build wish check check-wish' ;;
ci)
	levels='build wish check check-wish ci-wish'
	starts_servers || levels="$levels server-wish"
	;;
*) fail "usage: deps.sh [build|check|ci]" ;;
esac

manager=
for m in apt-get dnf pacman apk zypper; do
	command -v $m >/dev/null 2>&1 && manager=$m && break
done

as_root=
can_install=$manager
if [ "$(id -u)" -ne 0 ]; then
	as_root=sudo
	command -v sudo >/dev/null 2>&1 || can_install=
fi
# Who cannot install is only told of what it does not go without.
[ -n "$can_install" ] || levels=$(without_wishes)

lacking=$(missing)
[ -n "$lacking" ] || exit 0
names=$(echo "$lacking" | cut -d '|' -f 1 | sort -u | tr '\n' ' ')
[ -n "$manager" ] || fail "please install these first: $names" \
	"(this machine has no package manager that we know)"
wanted=$(packages "$lacking")
purpose='build'
[ "${1:-build}" = build ] || purpose='build and test'
command=$(install_command "$manager" "$wanted")
[ -n "$can_install" ] || fail "missing: ${names}- as root, run this," \
	"then try again: $command"

echo "cfuzz: to $purpose, $manager installs: $wanted"
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
lists_are_missing "$wanted" && run $(refresh_command)
if ! run $command; then
	run $(refresh_command)
	if ! run $command; then
		# One package that cannot be had must not stop the others.
		for package in $wanted; do
			run $(install_command "$manager" "$package") ||
				tail -n 3 "$log" >&2
		done
	fi
fi

levels=$(without_wishes)
lacking=$(missing | cut -d '|' -f 1 | tr '\n' ' ')
[ -z "$lacking" ] || fail "still missing: ${lacking}- tried: $as_root $command"
