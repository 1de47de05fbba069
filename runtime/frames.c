/*
 * frames.c - makes the search table of .eh_frame that most static programs lack.
 *
 * Linkers write the table (.eh_frame_hdr) if the compiler asks for it; GCC doesn't with -static.  Without it no frame
 * address and no caller would be known.  In: the file of a module without one.  Out: a table in memory near the module,
 * kept until its trampolines are written.  Source: System V ABI, chapter 4 (section headers).
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>

#include "area.h"
#include "cfa.h"
#include "frames.h"
#include "system.h"

#define NAMES_MOST ((size_t)1 << 20)

/* Reads `bytes` of the file from `offset` into new memory; NULL: failed. */
static void *file_part(long fd, uint64_t offset, size_t bytes) {
  char *part = bytes ? prof_memory_map(bytes) : NULL;
  size_t got = 0;
  while (part && got < bytes) {
    long more = prof_syscall(SYS_pread64, fd, (long)(part + got), (long)(bytes - got), (long)(offset + got), 0, 0);
    if (more <= 0) {
      prof_syscall(SYS_munmap, (long)part, (long)bytes, 0, 0, 0, 0);
      return NULL;
    }
    got += (size_t)more;
  }
  return part;
}

static void part_free(void *part, size_t bytes) {
  if (part)
    prof_syscall(SYS_munmap, (long)part, (long)bytes, 0, 0, 0, 0);
}

/* The header of the loaded section .eh_frame; size 0: there is none. */
static Elf64_Shdr section_find(long fd) {
  Elf64_Ehdr file;
  Elf64_Shdr found = {.sh_size = 0};
  if (prof_syscall(SYS_pread64, fd, (long)&file, sizeof file, 0, 0, 0) != sizeof file ||
      memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_shentsize != sizeof(Elf64_Shdr) ||
      file.e_shstrndx >= file.e_shnum)
    return found;
  size_t bytes = file.e_shnum * sizeof(Elf64_Shdr);
  Elf64_Shdr *sections = file_part(fd, file.e_shoff, bytes);
  if (!sections)
    return found;
  size_t name_bytes = sections[file.e_shstrndx].sh_size < NAMES_MOST ? sections[file.e_shstrndx].sh_size : 0;
  char *names = file_part(fd, sections[file.e_shstrndx].sh_offset, name_bytes);
  for (size_t i = 0; names && i < file.e_shnum; i++)
    if ((sections[i].sh_flags & SHF_ALLOC) && sections[i].sh_name + sizeof ".eh_frame" <= name_bytes &&
        memcmp(names + sections[i].sh_name, ".eh_frame", sizeof ".eh_frame") == 0)
      found = sections[i];
  part_free(names, name_bytes);
  part_free(sections, bytes);
  return found;
}

struct prof_frame_table prof_frame_table_make(const char *path, uintptr_t bias, uintptr_t begin, uintptr_t end) {
  struct prof_frame_table table = {.header = NULL};
  long fd = prof_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0)
    return table;
  Elf64_Shdr section = section_find(fd);
  prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
  uintptr_t at = bias + section.sh_addr;
  if (!section.sh_size || at < begin || at > end || section.sh_size > end - at)
    return table;
  table.bytes = prof_cfa_table_write((const uint8_t *)at, section.sh_size, NULL);
  table.header = table.bytes ? prof_area_map(begin, end, prof_page_align(table.bytes)) : NULL;
  if (table.header)
    prof_cfa_table_write((const uint8_t *)at, section.sh_size, table.header);
  return table;
}

void prof_frame_table_free(struct prof_frame_table *table) {
  part_free(table->header, prof_page_align(table->bytes));
}
