/*
 * tools/elf/elf_file.c - see elf_file.h.
 *
 * Source: the ELF gABI; libelf as in elfutils 0.188.
 */
#include "elf/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"

struct prof_elf {
  Elf *elf;
  int fd;
  char *path;
  size_t section_names; /* index of the string section; 0 none */
};

#if defined(__x86_64__)
static const unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
static const unsigned own_machine = EM_AARCH64;
#endif

static prof_status check_header(struct prof_elf *file, struct prof_diag *diag) {
  GElf_Ehdr header;
  if (elf_kind(file->elf) != ELF_K_ELF || gelf_getehdr(file->elf, &header) == NULL)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, file->path, PROF_NO_OFFSET, NULL, "not an ELF program or library");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != own_machine)
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
  /* Non-blocking, so that a path to a fifo or device can't hold us. */
  file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  prof_status result;
  if (file->fd < 0 || fstat(file->fd, &status) != 0) {
    result = prof_diag_fill(diag, errno == ENOENT ? PROF_NOT_FOUND : PROF_IO, path, PROF_NO_OFFSET, NULL,
                            "cannot open: %s", strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    result = prof_diag_fill(diag, PROF_UNSUPPORTED, path, PROF_NO_OFFSET, NULL, "not a regular file");
  } else if (elf_version(EV_CURRENT) == EV_NONE || (file->elf = elf_begin(file->fd, ELF_C_READ, NULL)) == NULL) {
    result =
        prof_diag_fill(diag, PROF_UNSUPPORTED, path, PROF_NO_OFFSET, NULL, "not readable as ELF: %s", elf_errmsg(-1));
  } else {
    result = check_header(file, diag);
  }
  if (result != PROF_OK) {
    prof_elf_close(file);
    return result;
  }
  *out = file;
  return PROF_OK;
}

void prof_elf_close(struct prof_elf *file) {
  if (file == NULL)
    return;
  if (file->elf != NULL)
    elf_end(file->elf);
  if (file->fd >= 0)
    close(file->fd);
  free(file->path);
  free(file);
}

const char *prof_elf_path(const struct prof_elf *file) {
  return file->path;
}

static bool load(Elf_Scn *section, const GElf_Shdr *header, struct prof_elf_section *out) {
  if (header->sh_type == SHT_NOBITS)
    return false;
  if ((header->sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0)
    return false;
  Elf_Data *data = elf_getdata(section, NULL);
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
  return section != NULL && load(section, &header, out);
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
          load(section, &header, symbols) && load(names, &linked, strings))
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
