/*
 * loaded.c - asks the dynamic loader about the program or library that holds an address.
 *
 * Uses dl_iterate_phdr.  Called at attach and at the first call of a function with hooks; never by a trampoline.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loaded.h"

static void note_read(struct prof_loaded *loaded, const uint8_t *at, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)at;
    size_t name = (note->n_namesz + 3u) & ~3u, text = (note->n_descsz + 3u) & ~3u;
    size_t whole = sizeof *note + name + text;
    if (whole > bytes)
      return;
    /* The first one, as tools/source takes it: a partial link may leave another behind it. */
    if (!loaded->build_id_bytes && note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        note->n_descsz <= sizeof loaded->build_id) {
      loaded->build_id_bytes = note->n_descsz;
      memcpy(loaded->build_id, at + sizeof *note + name, note->n_descsz);
    }
    at += whole;
    bytes -= whole;
  }
}

/* The loader gives the program an empty name, and a library the name given to dlopen. */
static void path_complete(struct prof_loaded *loaded, const char *name) {
  size_t room = sizeof loaded->path - 1, used = 0;
  loaded->path[0] = 0;
  if (!name || !*name) {
    ssize_t got = readlink("/proc/self/exe", loaded->path, room);
    loaded->path[got < 0 ? 0 : got] = 0;
    return;
  }
  if (*name != '/' && getcwd(loaded->path, room - 1)) {
    used = strlen(loaded->path);
    loaded->path[used++] = '/';
  }
  size_t count = strlen(name) < room - used ? strlen(name) : room - used;
  memcpy(loaded->path + used, name, count);
  loaded->path[used + count] = 0;
}

static void text_note(struct prof_loaded *loaded, const ElfW(Phdr) * header, uintptr_t at) {
  bool first = loaded->text_protection == 0;
  loaded->text_begin = first ? at : 0;
  loaded->text_end = first ? at + header->p_memsz : 0;
  loaded->text_offset = header->p_offset;
  loaded->text_protection =
      PROT_EXEC | (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0);
}

static int look(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  struct prof_loaded *loaded = argument;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t from = info->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (header->p_type != PT_LOAD)
      continue;
    begin = from < begin ? from : begin;
    end = to > end ? to : end;
    holds |= loaded->address >= from && loaded->address < to;
  }
  if (!holds)
    return 0;
  loaded->is_found = true;
  loaded->bias = info->dlpi_addr;
  loaded->begin = begin;
  loaded->end = end;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uint8_t *at = (const uint8_t *)(info->dlpi_addr + header->p_vaddr);
    if (header->p_type == PT_GNU_EH_FRAME)
      loaded->eh_frame_hdr = at;
    else if (header->p_type == PT_NOTE)
      note_read(loaded, at, header->p_memsz);
    else if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
      text_note(loaded, header, (uintptr_t)at);
  }
  path_complete(loaded, info->dlpi_name);
  return 1;
}

bool prof_loaded_find(struct prof_loaded *loaded, uintptr_t address) {
  memset(loaded, 0, sizeof *loaded);
  loaded->address = address;
  return dl_iterate_phdr(look, loaded) && loaded->is_found;
}
