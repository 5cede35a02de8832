# shellcheck shell=bash
# fetch: sources of real libraries, as Debian packages, with the patches that
# Debian adds. Read in by common.sh here and by ../bench/run.sh.
#
# apt works in a folder of its own (lists, cache, sources), made from this
# machine's entries, so nothing outside changes and root is not needed.
# REAL_SOURCES names a folder that has them already, each in a folder of its
# package's name; then nothing is fetched.

fetch_entries()
{
	local release='' files=()

	release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	shopt -s nullglob
	files=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list)
	[ ${#files[@]} -eq 0 ] || cat "${files[@]}" 2>/dev/null |
		awk -v release="$release" '
		$1 != "deb" && $1 != "deb-src" { next }
		index($0, " " release) && / main( |$)/ {
			sub(/^deb(-src)?/, "deb-src")
			if (!seen[$0]++) print
		}' >"$1/debian.list"
	files=(/etc/apt/sources.list.d/*.sources)
	shopt -u nullglob
	[ ${#files[@]} -eq 0 ] || awk -v RS= -v release="$release" '
		/^#/ { sub(/^(#[^\n]*\n)+/, "") }
		!/(^|\n)Types:/ || /\nEnabled: *no/ { next }
		$0 !~ "(^|\n)Suites:[^\n]*" release { next }
		/(^|\n)Components:[^\n]*main/ {
			sub(/Types:[^\n]*/, "Types: deb-src")
			print $0 "\n"
		}' "${files[@]}" >"$1/debian.sources"
	find "$1" -type f -empty -delete
	[ -n "$(ls "$1")" ]
}

# fetch_apt DIR COMMAND ...
fetch_apt()
{
	local dir=$1
	shift
	apt-get -qq -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$dir/entries" \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=0 \
		-o Acquire::Retries=3 "$@"
}

# fetch_prepare DIR: the lists of sources, once.
fetch_prepare()
{
	[ ! -d "$1/apt/lists" ] || return 0
	rm -rf "$1/apt"
	mkdir -p "$1/apt/entries" "$1/apt/lists.new/partial" \
		"$1/apt/cache/archives/partial"
	fetch_entries "$1/apt/entries" || {
		echo "apt's configuration has no entry for Debian" >&2
		return 1
	}
	mv "$1/apt/lists.new" "$1/apt/lists"
	fetch_apt "$1/apt" update || {
		rm -rf "$1/apt"
		return 1
	}
}

# fetch_versions DIR NAME VERSION: what can be had of it, the newest first.
fetch_versions()
{
	(cd "$1" && apt-cache -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$1/apt/entries" \
		-o Dir::State::lists="$1/apt/lists" \
		-o Dir::Cache="$1/apt/cache" showsrc "$2") |
		awk -v name="$2" '/^Package:/ { mine = $2 == name }
			mine && /^Version:/ { print $2 }' |
		sort -rVu | grep -F "$3-"
}

# fetch_package DIR NAME VERSION: into DIR/NAME. The version that is wanted
# if it can be had, else what this release has. A list may name what a server
# no longer has: then the next older revision is as good.
fetch_package()
{
	local dir=$1 name=$2 version=$3 full='' done=''

	[ ! -d "$dir/$name" ] || return 0
	if [ -n "${REAL_SOURCES:-}" ]; then
		cp -R "$REAL_SOURCES/$name" "$dir/$name"
		return
	fi
	command -v apt-get >/dev/null || {
		echo "$name $version is fetched with apt-get, which this" \
			"machine lacks: set REAL_SOURCES to a folder that" \
			"holds $name/" >&2
		return 1
	}
	fetch_prepare "$dir" || return 1
	: >"$dir/fetch.log"
	for full in $(fetch_versions "$dir" "$name" "$version") ''; do
		rm -rf "$dir/unpack" && mkdir -p "$dir/unpack" || return 1
		(cd "$dir/unpack" && fetch_apt "$dir/apt" source \
			"$name${full:+=$full}") >>"$dir/fetch.log" 2>&1 &&
			done=yes && break
	done
	[ -n "$done" ] || {
		cat "$dir/fetch.log" >&2
		return 1
	}
	echo "${full:-another version}" >"$dir/$name.version"
	mv "$dir/unpack"/*/ "$dir/$name"
	rm -rf "$dir/unpack"
}

# fetch_install PACKAGE ...: as root; else says what to install.
fetch_install()
{
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "please install these first: $*" >&2
		return 1
	fi
	echo "installing $*"
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
		--no-install-recommends "$@" >/dev/null 2>&1 || {
		apt-get -qq -o DPkg::Lock::Timeout=300 update &&
			apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
				--no-install-recommends "$@" >/dev/null
	}
}

# fetch_need PACKAGE:COMMAND ...: installs what is missing.
fetch_need()
{
	local pair packages=()

	for pair in "$@"; do
		command -v "${pair#*:}" >/dev/null || packages+=("${pair%:*}")
	done
	[ ${#packages[@]} -eq 0 ] || fetch_install "${packages[@]}"
}
