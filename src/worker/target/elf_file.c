/* elf_file: see elf_file.h. */

#include "worker/target/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/hex_text.h"
#include "base/xmalloc.h"

#define ELF_NOTES_MAX 65536u /* bytes of one segment */
#define ELF_ID_MAX 64u       /* bytes of a build-id */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ELF_DATA ELFDATA2LSB
#else
#define ELF_DATA ELFDATA2MSB
#endif

bool
elf_file_read(const struct elf_file *f, uint64_t offset, void *buf, size_t len)
{
	size_t done = 0;
	ssize_t n;

	if (offset > f->size || len > f->size - offset)
		return false;
	while (done < len) {
		n = pread(f->fd, (char *)buf + done, len - done,
			(off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

bool
elf_file_is_ours(const Elf64_Ehdr *head)
{
	return head->e_ident[EI_CLASS] == ELFCLASS64 &&
		head->e_ident[EI_DATA] == ELF_DATA &&
		head->e_machine == ELF_FILE_MACHINE;
}

bool
elf_file_segment(const struct elf_file *f, const Elf64_Ehdr *head, unsigned i,
	Elf64_Phdr *segment)
{
	return head->e_phentsize == sizeof(*segment) &&
		head->e_phoff <= f->size &&
		elf_file_read(f, head->e_phoff + i * sizeof(*segment), segment,
			sizeof(*segment));
}

static void
elf_walk_notes(const uint8_t *data, size_t len, size_t align,
	elf_note_fn *on_note, void *arg)
{
	size_t at = 0, name_len, desc_len;
	Elf64_Nhdr head;

	while (len - at >= sizeof(head)) {
		memcpy(&head, data + at, sizeof(head));
		at += sizeof(head);
		name_len = ((size_t)head.n_namesz + 3) & ~(size_t)3;
		if (align == 8) /* note header and name are padded together */
			name_len = ((sizeof(head) + (size_t)head.n_namesz + 7) &
					   ~(size_t)7) -
				sizeof(head);
		desc_len = ((size_t)head.n_descsz + align - 1) & ~(align - 1);
		if (name_len > len - at || head.n_descsz > len - at - name_len)
			return;
		on_note(arg, &head, data + at, data + at + name_len);
		at += name_len;
		if (desc_len >= len - at)
			return;
		at += desc_len;
	}
}

void
elf_file_notes(const struct elf_file *f, const Elf64_Phdr *segment,
	elf_note_fn *on_note, void *arg)
{
	size_t len = segment->p_filesz > ELF_NOTES_MAX
		? ELF_NOTES_MAX
		: (size_t)segment->p_filesz;
	uint8_t *data;

	if (len == 0)
		return;
	data = xmalloc(len);
	if (elf_file_read(f, segment->p_offset, data, len))
		elf_walk_notes(data, len, segment->p_align == 8 ? 8 : 4,
			on_note, arg);
	free(data);
}

bool
elf_note_build_id(const Elf64_Nhdr *head, const uint8_t *name,
	const uint8_t *desc, char hex[ELF_FILE_ID_SIZE])
{
	if (head->n_namesz != sizeof(ELF_NOTE_GNU) ||
		memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 ||
		head->n_type != NT_GNU_BUILD_ID || head->n_descsz == 0 ||
		head->n_descsz > ELF_ID_MAX)
		return false;
	hex_encode(desc, head->n_descsz, hex);
	return true;
}

bool
elf_file_hash(const struct elf_file *f, char hex[ELF_FILE_ID_SIZE])
{
	size_t len = f->size < ELF_FILE_HASH_MAX ? (size_t)f->size
						 : ELF_FILE_HASH_MAX;
	uint8_t *data = xmalloc(len);
	bool whole = elf_file_read(f, 0, data, len);

	if (whole)
		sha256_name(data, len, hex);
	free(data);
	return whole;
}
