# shellcheck shell=bash
# fetch: sources of real libraries, as Debian packages, with the patches that
# Debian adds. Read in by run.sh here and by ../bench/run.sh.
#
# apt works in a folder of its own (lists, cache, sources), made from this
# machine's entries, so nothing outside changes and root is not needed.
# REAL_SOURCES names a folder that has cjson/ and libyaml/ already; then
# nothing is fetched.

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

# fetch_package DIR NAME VERSION: into DIR/NAME. The version that is wanted
# if it can be had, else what this release has.
fetch_package()
{
	local dir=$1 name=$2 version=$3 full=''

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
	if [ ! -d "$dir/apt/lists" ]; then
		rm -rf "$dir/apt"
		mkdir -p "$dir/apt/entries" "$dir/apt/lists.new/partial" \
			"$dir/apt/cache/archives/partial"
		fetch_entries "$dir/apt/entries" || {
			echo "apt's configuration has no entry for Debian" >&2
			return 1
		}
		mv "$dir/apt/lists.new" "$dir/apt/lists"
		fetch_apt "$dir/apt" update || {
			rm -rf "$dir/apt"
			return 1
		}
	fi
	# The newest comes first.
	full=$(cd "$dir" && apt-cache -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$dir/apt/entries" \
		-o Dir::State::lists="$dir/apt/lists" \
		-o Dir::Cache="$dir/apt/cache" showsrc "$name" |
		awk -v name="$name" '/^Package:/ { mine = $2 == name }
			mine && /^Version:/ { print $2 }' |
		sort -rV | grep -m 1 "^$version-")
	mkdir -p "$dir/unpack" && rm -rf "$dir/unpack"/*/ &&
		(cd "$dir/unpack" && fetch_apt "$dir/apt" source \
			"$name${full:+=$full}") >"$dir/fetch.log" 2>&1 || {
		cat "$dir/fetch.log" >&2
		return 1
	}
	echo "${full:-another version}" >"$dir/$name.version"
	mv "$dir/unpack"/*/ "$dir/$name"
	rm -rf "$dir/unpack"
}

# fetch_need PACKAGE:COMMAND ...: installs what is missing, as root; else
# says what to install.
fetch_need()
{
	local pair packages=()

	for pair in "$@"; do
		command -v "${pair#*:}" >/dev/null || packages+=("${pair%:*}")
	done
	[ ${#packages[@]} -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "please install these first: ${packages[*]}" >&2
		return 1
	fi
	echo "installing ${packages[*]}"
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
		--no-install-recommends "${packages[@]}" >/dev/null 2>&1 || {
		apt-get -qq -o DPkg::Lock::Timeout=300 update &&
			apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
				--no-install-recommends "${packages[@]}" \
				>/dev/null
	}
}
