#!/bin/bash
# Bugs of real libraries that have a number: each is put back by taking away
# the lines that mend it, and has to be found, be told apart, be made smaller
# and be shown.
#
# usage: bugs.sh [NAME ...], of: cjson yaml zlib
#   REAL_BUG_SECONDS  how long each is looked for, at most (120)
#   REAL_SOURCES      a folder with cjson/ libyaml/ zlib/, not a download
#
# CVE-2023-53154  cJSON reads behind a text that ends with a comma
# CVE-2014-2525   libyaml writes behind a string of escaped characters in a tag
# CVE-2022-37434  zlib copies too much of a gzip header's extra field

set -u
. "$(dirname "$0")/common.sh"
seconds=${REAL_BUG_SECONDS:-120}

# take FILE LINES SCRIPT: sed takes away so many lines, or it is another file.
take()
{
	local before after
	before=$(wc -l <"$1")
	sed -i "$3" "$1"
	after=$(wc -l <"$1")
	[ $((before - after)) -eq "$2" ] ||
		fail "$1: the lines that mend the bug are not there"
}

put_back_cjson()
{
	take cJSON.c 4 '/cannot_access_at_index(input_buffer, 1)/{
		N;N;N;/nothing comes after the comma/d
	}'
}

put_back_yaml()
{
	take src/scanner.c 2 "/if (CHECK(parser->buffer, '%')) {/{n;N;d}"
}

put_back_zlib()
{
	take inflate.c 2 '/state->head->extra != Z_NULL &&$/{
		N;N
		s/&&.*/) { len = state->head->extra_len - state->length;/
	}'
}

compile()
{
	cfuzz-cc -O1 -g -fsanitize=address -w -o target "$@"
}

compile_cjson()
{
	compile -I. "$here/cjson_length.c" cJSON.c
}

compile_yaml()
{
	compile -Iinclude -Isrc -DYAML_VERSION_STRING='"0"' \
		-DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=0 \
		-DYAML_VERSION_PATCH=0 "$here/yaml.c" src/*.c
}

compile_zlib()
{
	compile -I. "$here/zlib.c" adler32.c crc32.c inffast.c inflate.c \
		inftrees.c zutil.c
}

# Which kind of failure, and in which function it must be found.
expected_cjson='buffer-overflow READ parse_string|buffer_skip_whitespace|parse_object'
expected_yaml='heap-buffer-overflow WRITE yaml_parser_scan_uri_escapes|yaml_parser_scan_tag_uri'
expected_zlib='buffer-overflow - ^inflate'

# one NAME
one()
{
	local name=$1 package=$1 out=$dir/bug-$1 status=0 dict=()

	[ "$name" != yaml ] || package=libyaml
	[ ! -e "$here/seeds/$name.dict" ] ||
		dict=(--dict "$here/seeds/$name.dict")
	rm -rf "$out" && mkdir -p "$out" &&
		cp -r "$sources/$package" "$out/source" || return 1
	(cd "$out/source" && "put_back_$name" && "compile_$name") \
		>"$out/build.log" 2>&1 || {
		tail -n 20 "$out/build.log" >&2
		return 1
	}
	timeout -k 10 $((seconds + 120)) cfuzz run --parallel 2 --no-color \
		--fuzztime "${seconds}s" --stop-on-crash --no-leaks \
		--seeds "$here/seeds/$name" ${dict[@]+"${dict[@]}"} \
		--output "$out/output" "$out/source/target" \
		>"$out/run.log" 2>&1 || status=$?
	local what=expected_$name
	python3 "$here/bug.py" "$name" "$out/output" "$out/source/target" \
		"${!what}" || {
		tail -n 20 "$out/run.log" >&2
		return 1
	}
}

fetch_need dpkg-dev:dpkg-source python3:python3 || exit 1
mkdir -p "$dir/sources" || exit 1
dir=$(cd "$dir" && pwd)
sources=$dir/sources
fetch_package "$sources" cjson 1.7.15 || fail 'cJSON cannot be fetched'
fetch_package "$sources" libyaml 0.2.5 || fail 'libyaml cannot be fetched'
fetch_package "$sources" zlib 1:1.2.13 || fail 'zlib cannot be fetched'

failed=0
echo "bugs that were put back, $seconds s each at most, two workers:"
python3 "$here/bug.py" --head
[ $# -gt 0 ] || set -- cjson yaml zlib
for word in "$@"; do
	case $word in
	cjson | yaml | zlib) ;;
	*) fail "there is no bug of $word" ;;
	esac
	one "$word" || failed=$((failed + 1))
done
[ "$failed" -eq 0 ] || fail "$failed of $# bugs were not found"
