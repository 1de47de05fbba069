/*
 * tools/source/elf_file.c - see elf_file.h.
 *
 * Source: the ELF gABI; libelf as in elfutils 0.188.
 */
#include "source/elf_file.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plain_file.h"
#include "base/vec.h"
#include "source/elf_unpack.h"

struct unpacked { /* a section that libelf can't unpack itself */
  const Elf_Scn *section;
  void *bytes;
  size_t size;
};

struct prof_elf {
  Elf *elf;
  PROF_VEC(struct unpacked) unpacked;
  int fd;
  char *path;
  size_t section_names; /* index of the string section; 0 none */
};

#if defined(__x86_64__)
static const unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
static const unsigned own_machine = EM_AARCH64;
#endif

enum { CUDA_MACHINE = 190 };

static prof_status check_header(struct prof_elf *file, unsigned machine, struct prof_diag *diag) {
  GElf_Ehdr header;
  if (elf_kind(file->elf) != ELF_K_ELF || gelf_getehdr(file->elf, &header) == NULL)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, file->path, PROF_NO_OFFSET, NULL, "not an ELF program or library");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != machine)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, file->path, PROF_NO_OFFSET,
                          "compile it for 64 bits and for this machine", "a program for another machine or word size");
  if (elf_getshdrstrndx(file->elf, &file->section_names) != 0)
    file->section_names = 0;
  return PROF_OK;
}

prof_status prof_elf_open(const char *path, struct prof_diag *diag, struct prof_elf **out) {
  *out = NULL;
  struct prof_elf *file = calloc(1, sizeof *file);
  if (file == NULL || (file->path = strdup(path)) == NULL) {
    free(file);
    return prof_diag_fill(diag, PROF_NO_MEMORY, path, PROF_NO_OFFSET, NULL, "out of memory");
  }
  file->fd = prof_plain_file_open(path, NULL);
  prof_status result;
  if (file->fd < 0 && errno == EINVAL) {
    result = prof_diag_fill(diag, PROF_UNSUPPORTED, path, PROF_NO_OFFSET, NULL, "not a regular file");
  } else if (file->fd < 0) {
    result = prof_diag_fill(diag, errno == ENOENT ? PROF_NOT_FOUND : PROF_IO, path, PROF_NO_OFFSET, NULL,
                            "cannot open: %s", strerror(errno));
  } else if (elf_version(EV_CURRENT) == EV_NONE || (file->elf = elf_begin(file->fd, ELF_C_READ, NULL)) == NULL) {
    result =
        prof_diag_fill(diag, PROF_UNSUPPORTED, path, PROF_NO_OFFSET, NULL, "not readable as ELF: %s", elf_errmsg(-1));
  } else {
    result = check_header(file, own_machine, diag);
  }
  if (result != PROF_OK) {
    prof_elf_close(file);
    return result;
  }
  *out = file;
  return PROF_OK;
}

prof_status prof_elf_open_cubin(const uint8_t *bytes, size_t byte_count, struct prof_diag *diag,
                                struct prof_elf **out) {
  *out = NULL;
  struct prof_elf *file = calloc(1, sizeof *file);
  if (file == NULL || (file->path = strdup("a GPU program")) == NULL) {
    free(file);
    return prof_diag_memory(diag);
  }
  file->fd = -1;
  prof_status status = PROF_UNSUPPORTED;
  if (elf_version(EV_CURRENT) != EV_NONE)
    file->elf = elf_memory((char *)(uintptr_t)bytes, byte_count); /* read only */
  status = file->elf != NULL ? check_header(file, CUDA_MACHINE, diag)
                             : prof_diag_fill(diag, status, file->path, PROF_NO_OFFSET, NULL, "not readable as ELF: %s",
                                              elf_errmsg(-1));
  if (status != PROF_OK) {
    prof_elf_close(file);
    return status;
  }
  *out = file;
  return PROF_OK;
}

void prof_elf_close(struct prof_elf *file) {
  if (file == NULL)
    return;
  if (file->elf != NULL)
    elf_end(file->elf);
  for (size_t i = 0; i < file->unpacked.count; i++)
    free(file->unpacked.items[i].bytes);
  prof_vec_fini(&file->unpacked);
  if (file->fd >= 0)
    close(file->fd);
  free(file->path);
  free(file);
}

void prof_elf_detach(struct prof_elf *file) {
  if (elf_cntl(file->elf, ELF_C_FDREAD) != 0)
    return;
  close(file->fd);
  file->fd = -1;
}

const char *prof_elf_path(const struct prof_elf *file) {
  return file->path;
}

/* True: out is the section as it was unpacked by us, now or before.  *plain: its data are plain, libelf has them. */
static bool load_compressed(struct prof_elf *file, Elf_Scn *section, bool *plain, struct prof_elf_section *out) {
  *plain = false;
  for (size_t i = 0; i < file->unpacked.count; i++) {
    if (file->unpacked.items[i].section != section)
      continue;
    *out = (struct prof_elf_section){file->unpacked.items[i].bytes, file->unpacked.items[i].size, 0};
    return true;
  }
  struct unpacked unpacked = {.section = section};
  if (!prof_elf_unpack(section, &unpacked.bytes, &unpacked.size))
    return false;
  *plain = unpacked.bytes == NULL;
  if (*plain || !prof_vec_push(&file->unpacked, unpacked)) {
    free(unpacked.bytes);
    return false;
  }
  *out = (struct prof_elf_section){unpacked.bytes, unpacked.size, 0};
  return true;
}

static bool load(struct prof_elf *file, Elf_Scn *section, const GElf_Shdr *header, struct prof_elf_section *out) {
  if (header->sh_type == SHT_NOBITS)
    return false;
  bool plain = true;
  if ((header->sh_flags & SHF_COMPRESSED) != 0 && load_compressed(file, section, &plain, out))
    return true;
  Elf_Data *data = plain ? elf_getdata(section, NULL) : NULL;
  if (data == NULL || (data->d_buf == NULL && data->d_size != 0))
    return false;
  *out = (struct prof_elf_section){data->d_buf, data->d_size, header->sh_addr};
  return true;
}

/* The first section whose name begins with `name`, or is it; NULL: none. */
static Elf_Scn *find(struct prof_elf *file, const char *name, bool whole, GElf_Shdr *header) {
  size_t length = strlen(name) + (whole ? 1 : 0);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section)) != NULL;) {
    const char *found;
    if (gelf_getshdr(section, header) != NULL &&
        (found = elf_strptr(file->elf, file->section_names, header->sh_name)) != NULL &&
        strncmp(found, name, length) == 0)
      return section;
  }
  return NULL;
}

bool prof_elf_section(struct prof_elf *file, const char *name, struct prof_elf_section *out) {
  GElf_Shdr header;
  Elf_Scn *section = find(file, name, true, &header);
  return section != NULL && load(file, section, &header, out);
}

bool prof_elf_debug_section(struct prof_elf *file, const char *name, struct prof_elf_section *out) {
  if (prof_elf_section(file, name, out))
    return true;
  char old_name[64];
  if (snprintf(old_name, sizeof old_name, ".z%s", name + 1) >= (int)sizeof old_name)
    return false;
  GElf_Shdr header;
  Elf_Scn *section = find(file, old_name, true, &header);
  return section != NULL && prof_elf_unpack_old(section) && load(file, section, &header, out);
}

bool prof_elf_joined_sections(struct prof_elf *file, const char *name, struct prof_elf_section *out) {
  PROF_VEC(uint8_t) joined = {0};
  Elf_Scn *first = NULL;
  GElf_Shdr header;
  bool done = true;
  for (Elf_Scn *section = NULL; done && (section = elf_nextscn(file->elf, section)) != NULL;) {
    const char *found;
    struct prof_elf_section part;
    if (gelf_getshdr(section, &header) == NULL ||
        (found = elf_strptr(file->elf, file->section_names, header.sh_name)) == NULL || strcmp(found, name) != 0 ||
        !load(file, section, &header, &part) || part.size == 0)
      continue;
    first = first == NULL ? section : first;
    if ((done = prof_vec_reserve(&joined, part.size))) {
      memcpy(joined.items + joined.count, part.bytes, part.size);
      joined.count += part.size;
    }
  }
  done = done && first != NULL && prof_vec_push(&file->unpacked, (struct unpacked){NULL, joined.items, joined.count});
  if (done)
    *out = (struct prof_elf_section){joined.items, joined.count, 0};
  else
    prof_vec_fini(&joined);
  return done;
}

bool prof_elf_code_next(struct prof_elf *file, size_t *at, uint64_t *low, uint64_t *high) {
  GElf_Shdr header;
  for (Elf_Scn *section; (section = elf_getscn(file->elf, *at)) != NULL;) {
    ++*at;
    if (gelf_getshdr(section, &header) != NULL && (header.sh_flags & SHF_ALLOC) != 0 &&
        (header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_addr + header.sh_size > header.sh_addr) {
      *low = header.sh_addr;
      *high = header.sh_addr + header.sh_size;
      return true;
    }
  }
  return false;
}

const uint8_t *prof_elf_bytes_at(struct prof_elf *file, uint64_t address, size_t *byte_count) {
  GElf_Shdr header;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section)) != NULL;) {
    if (gelf_getshdr(section, &header) == NULL || (header.sh_flags & SHF_ALLOC) == 0 || header.sh_type == SHT_NOBITS ||
        address < header.sh_addr || address - header.sh_addr >= header.sh_size)
      continue;
    const Elf_Data *data = elf_getdata(section, NULL);
    uint64_t offset = address - header.sh_addr;
    if (data == NULL || data->d_buf == NULL || offset >= data->d_size)
      return NULL;
    *byte_count = data->d_size - offset;
    return (const uint8_t *)data->d_buf + offset;
  }
  return NULL;
}

const char *prof_elf_string_at(struct prof_elf *file, uint64_t address) {
  size_t byte_count;
  const char *text = (const char *)prof_elf_bytes_at(file, address, &byte_count);
  return text != NULL && memchr(text, 0, byte_count) != NULL ? text : NULL;
}

bool prof_elf_has_prefix(struct prof_elf *file, const char *prefix) {
  GElf_Shdr header;
  return find(file, prefix, false, &header) != NULL;
}

bool prof_elf_symbol_sections(struct prof_elf *file, struct prof_elf_section *symbols,
                              struct prof_elf_section *strings) {
  static const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section)) != NULL;) {
      GElf_Shdr header, linked;
      if (gelf_getshdr(section, &header) == NULL || header.sh_type != kinds[i])
        continue;
      Elf_Scn *names = elf_getscn(file->elf, header.sh_link);
      if (names != NULL && gelf_getshdr(names, &linked) != NULL && linked.sh_type == SHT_STRTAB &&
          load(file, section, &header, symbols) && load(file, names, &linked, strings))
        return true;
    }
  }
  return false;
}

uint32_t prof_elf_build_id(struct prof_elf *file, uint8_t *out) {
  struct prof_elf_section notes;
  if (!prof_elf_section(file, ".note.gnu.build-id", &notes) || notes.size < sizeof(GElf_Nhdr))
    return 0;
  GElf_Nhdr note;
  memcpy(&note, notes.bytes, sizeof note);
  size_t at = sizeof note + (((size_t)note.n_namesz + 3) & ~(size_t)3);
  if (note.n_type != NT_GNU_BUILD_ID || at > notes.size || note.n_descsz > notes.size - at)
    return 0;
  uint32_t bytes = note.n_descsz < PROF_BUILD_ID_BYTES ? note.n_descsz : PROF_BUILD_ID_BYTES;
  memcpy(out, notes.bytes + at, bytes);
  return bytes;
}

/* The next loaded segment with one of these rights; 0: with any. */
static bool next_load(struct prof_elf *file, size_t *at, uint32_t rights, struct prof_elf_load *out) {
  size_t count;
  if (elf_getphdrnum(file->elf, &count) != 0)
    return false;
  while (*at < count) {
    GElf_Phdr segment;
    if (gelf_getphdr(file->elf, (int)(*at)++, &segment) == NULL)
      return false;
    *out = (struct prof_elf_load){segment.p_offset, segment.p_vaddr, segment.p_filesz};
    if (segment.p_type == PT_LOAD && (rights == 0 || (segment.p_flags & rights)))
      return true;
  }
  return false;
}

bool prof_elf_load_next(struct prof_elf *file, size_t *at, struct prof_elf_load *out) {
  return next_load(file, at, PF_X, out);
}

bool prof_elf_load_first(struct prof_elf *file, struct prof_elf_load *out) {
  size_t at = 0;
  return next_load(file, &at, 0, out);
}

bool prof_elf_is_dynamic(struct prof_elf *file) {
  size_t count;
  if (elf_getphdrnum(file->elf, &count) != 0)
    return false;
  bool interpreter = false, dynamic = false;
  GElf_Ehdr header;
  for (size_t i = 0; i < count; i++) {
    GElf_Phdr segment;
    if (gelf_getphdr(file->elf, (int)i, &segment) == NULL)
      break;
    interpreter |= segment.p_type == PT_INTERP;
    dynamic |= segment.p_type == PT_DYNAMIC;
  }
  /* A static PIE has PT_DYNAMIC but no interpreter; so has a library, which only DT_FLAGS_1 tells apart: both are
   * ET_DYN.  What is asked about here is what was executed, so the interpreter decides; a library counts by its name.
   */
  return interpreter || (dynamic && gelf_getehdr(file->elf, &header) != NULL && header.e_type == ET_DYN &&
                         strstr(file->path, ".so") != NULL);
}
