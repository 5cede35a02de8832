/*
 * expat: expat as a target. A document, with namespaces and parameter
 * entities, in two pieces, so that a token may be cut anywhere; every byte
 * that a handler is given is read.
 */
#include <expat.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where what was read goes; nobody looks at it. */
struct sink {
	volatile unsigned sum;
};

static void
sink_text(struct sink *sink, const XML_Char *text)
{
	while (text != NULL && *text != '\0')
		sink->sum += (unsigned char)*text++;
}

static void
on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
	sink_text(data, name);
	for (; *attributes != NULL; attributes++)
		sink_text(data, *attributes);
}

static void
on_end(void *data, const XML_Char *name)
{
	sink_text(data, name);
}

static void
on_text(void *data, const XML_Char *text, int len)
{
	struct sink *sink = data;

	for (int i = 0; i < len; i++)
		sink->sum += (unsigned char)text[i];
}

static void
on_instruction(void *data, const XML_Char *name, const XML_Char *text)
{
	sink_text(data, name);
	sink_text(data, text);
}

static void
on_comment(void *data, const XML_Char *text)
{
	sink_text(data, text);
}

static void
on_doctype(void *data, const XML_Char *name, const XML_Char *system_id,
	const XML_Char *public_id, int has_internal_subset)
{
	struct sink *sink = data;

	sink_text(sink, name);
	sink_text(sink, system_id);
	sink_text(sink, public_id);
	sink->sum += (unsigned)has_internal_subset;
}

static void
on_attribute(void *data, const XML_Char *element, const XML_Char *name,
	const XML_Char *type, const XML_Char *value, int required)
{
	struct sink *sink = data;

	sink_text(sink, element);
	sink_text(sink, name);
	sink_text(sink, type);
	sink_text(sink, value);
	sink->sum += (unsigned)required;
}

static void
set_handlers(XML_Parser parser)
{
	XML_SetElementHandler(parser, on_start, on_end);
	XML_SetCharacterDataHandler(parser, on_text);
	XML_SetProcessingInstructionHandler(parser, on_instruction);
	XML_SetCommentHandler(parser, on_comment);
	XML_SetStartDoctypeDeclHandler(parser, on_doctype);
	XML_SetAttlistDeclHandler(parser, on_attribute);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	XML_Parser parser = XML_ParserCreateNS(NULL, '!');
	struct sink sink = { .sum = 0 };
	int half = (int)(size / 2);

	if (parser == NULL)
		return 0;
	/* The same bytes take the same way each time. */
	XML_SetHashSalt(parser, 1);
	XML_SetUserData(parser, &sink);
	XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_ALWAYS);
	set_handlers(parser);
	if (XML_Parse(parser, (const char *)data, half, 0) == XML_STATUS_OK)
		(void)XML_Parse(parser, (const char *)data + half,
			(int)(size - (size_t)half), 1);
	XML_ParserFree(parser);
	return 0;
}
