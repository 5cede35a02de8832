/*
 * elf_file: reads parts of an ELF file for this machine, which is not trusted.
 *
 * It reads with pread() into local copies and never maps the file, because a
 * file that shrinks under a map kills the reader. It looks at a bounded part: the
 * first headers, and the first bytes of note segments.
 */
#ifndef CFUZZ_WORKER_TARGET_ELF_FILE_H
#define CFUZZ_WORKER_TARGET_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_FILE_HEADERS_MAX 256u
#define ELF_FILE_HASH_MAX (256u << 20) /* bytes of a file that are hashed */
#define ELF_FILE_ID_SIZE 129           /* hex of at most 64 bytes */

#if defined(__x86_64__)
#define ELF_FILE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define ELF_FILE_MACHINE EM_AARCH64
#else
#error "cfuzz runs on x86-64 and arm64"
#endif

struct elf_file {
	int fd;        /* of the caller */
	uint64_t size; /* bytes */
};

/* A note of a file. name and desc have the lengths that head gives, in bytes;
 * desc is aligned to 4 bytes, and lives until the function returns. */
typedef void elf_note_fn(void *arg, const Elf64_Nhdr *head, const uint8_t *name,
	const uint8_t *desc);

/* Reads exactly len bytes. False: they are not there. */
bool elf_file_read(const struct elf_file *f, uint64_t offset, void *buf,
	size_t len);

/* Is it a 64-bit file of this machine's processor and byte order? */
bool elf_file_is_ours(const Elf64_Ehdr *head);

/* The program header with this number, below ELF_FILE_HEADERS_MAX. False: it is
 * not in the file. */
bool elf_file_segment(const struct elf_file *f, const Elf64_Ehdr *head,
	unsigned i, Elf64_Phdr *segment);

/* Calls on_note for each note of a segment, up to the first that does not fit. */
void elf_file_notes(const struct elf_file *f, const Elf64_Phdr *segment,
	elf_note_fn *on_note, void *arg);

/* Writes the build-id, if that is what the note holds. */
bool elf_note_build_id(const Elf64_Nhdr *head, const uint8_t *name,
	const uint8_t *desc, char hex[ELF_FILE_ID_SIZE]);

/* For a file without a build-id: writes the SHA-256 of its content. False: it
 * cannot be read to its end. */
bool elf_file_hash(const struct elf_file *f, char hex[ELF_FILE_ID_SIZE]);

#endif
