// A target with a word behind each way of comparing strings in C++. The first
// byte of an input chooses the way, the rest is compared; finding the word is
// the failure.
// VARIANTS: asan ubsan

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <string_view>
#endif

#include "cfuzz.h"

namespace
{

bool
string_literal(const std::string &text)
{
	return text.substr(0, 14) == "string-literal";
}

bool
string_literal_first(const std::string &text)
{
	return "string-literal-first" == text.substr(0, 20);
}

bool
string_differs(const std::string &text)
{
	return !(text.substr(0, 14) != "string-differs");
}

bool
string_string(const std::string &text)
{
	static const std::string word = "string-string";

	return text.substr(0, word.size()) == word;
}

bool
string_compare(const std::string &text)
{
	return text.compare(0, 14, "string-compare") == 0;
}

bool
string_order(const std::string &text)
{
	static const std::string word = "string-order";
	const std::string head = text.substr(0, word.size());

	return !(head < word) && !(word < head);
}

bool
string_starts(const std::string &text)
{
	return text.rfind("string-starts", 0) == 0;
}

/* Looked at where the first letter is found. */
bool
string_find(const std::string &text)
{
	return ("s" + text).find("string-find") == 0;
}

bool
map_find(const std::string &text)
{
	static const std::map<std::string, int> map = { { "map-find", 1 } };

	return map.find(text.substr(0, 8)) != map.end();
}

bool
set_count(const std::string &text)
{
	static const std::set<std::string> set = { "set-count" };

	return set.count(text.substr(0, 9)) != 0;
}

bool
equal_chars(const std::string &text)
{
	static const char word[] = "equal-chars";

	return std::equal(word, word + sizeof(word) - 1, text.begin());
}

bool
equal_pointers(const std::string &text)
{
	static const char word[] = "equal-pointers";

	return std::equal(word, word + sizeof(word) - 1, text.data());
}

bool
vector_vector(const std::string &text)
{
	static const std::string word = "vector-vector";
	static const std::vector<unsigned char> wanted(word.begin(),
		word.end());
	const std::vector<unsigned char> bytes(text.begin(),
		text.begin() + static_cast<long>(word.size()));

	return bytes == wanted;
}

bool
array_array(const std::string &text)
{
	static const std::array<char, 8> wanted = { 'a', 'r', 'r', 'a', 'y',
		'-', '-', '8' };
	std::array<char, 8> bytes;

	std::memcpy(bytes.data(), text.data(), bytes.size());
	return bytes == wanted;
}

bool
traits_compare(const std::string &text)
{
	return std::char_traits<char>::compare(text.data(), "traits-compare",
		       14) == 0;
}

bool
std_strcmp(const std::string &text)
{
	return std::strcmp(text.c_str(), "std-strcmp") == 0;
}

#if __cplusplus >= 201703L
bool
view_short(const std::string &text)
{
	return std::string_view(text).substr(0, 4) == "vie4";
}

bool
view_literal(const std::string &text)
{
	return std::string_view(text).substr(0, 12) == "view-literal";
}

bool
view_view(const std::string &text)
{
	static const std::string_view word = "view-view";

	return word == std::string_view(text).substr(0, word.size());
}
#endif

#if __cplusplus >= 202002L
bool
view_starts(const std::string &text)
{
	return std::string_view(text).starts_with("view-starts");
}
#endif

const struct way {
	const char *name;
	bool (*is_found)(const std::string &text);
} WAYS[] = {
	{ "string-literal", string_literal },
	{ "string-literal-first", string_literal_first },
	{ "string-differs", string_differs },
	{ "string-string", string_string },
	{ "string-compare", string_compare },
	{ "string-order", string_order },
	{ "string-starts", string_starts },
	{ "string-find", string_find },
	{ "map-find", map_find },
	{ "set-count", set_count },
	{ "equal-chars", equal_chars },
	{ "equal-pointers", equal_pointers },
	{ "vector-vector", vector_vector },
	{ "array-array", array_array },
	{ "traits-compare", traits_compare },
	{ "std-strcmp", std_strcmp },
#if __cplusplus >= 201703L
	{ "view-short", view_short },
	{ "view-literal", view_literal },
	{ "view-view", view_view },
#endif
#if __cplusplus >= 202002L
	{ "view-starts", view_starts },
#endif
};

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 32)
		return -1;
	const struct way *way =
		&WAYS[data[0] % (sizeof(WAYS) / sizeof(WAYS[0]))];
	const std::string text(data + 1, data + size);

	if (way->is_found(text))
		cfuzz_fail("%s", way->name);
	return 0;
}
