/* Symbol tables, read where the loader does not bring them into memory: names and sizes of static
 * variables. */
#include "base/symtab.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name for this program's file that another process, addr2line, can open. Its own name comes first, since
 * an emulator's /proc/PID/exe is the emulator; where that file was removed, /proc still has it. */
static void program_file(char *name, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", name, size - 1);
  name[length > 0 ? length : 0] = 0;
  if (length <= 0 || access(name, R_OK) != 0) snprintf(name, size, "/proc/%d/exe", (int)getpid());
}

static int find_module(struct dl_phdr_info *info, size_t size, void *argument) {
  struct module *m = argument;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && m->address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz) {
      m->base = info->dlpi_addr;
      if (info->dlpi_name && !strncmp(info->dlpi_name, "/proc/self/", 11)) /* not /proc/self: see below */
        snprintf(m->file, sizeof m->file, "/proc/%d/%.200s", (int)getpid(), info->dlpi_name + 11);
      else if (info->dlpi_name && *info->dlpi_name)
        snprintf(m->file, sizeof m->file, "%s", info->dlpi_name);
      else
        program_file(m->file, sizeof m->file);
      return 1;
    }
  }
  return 0;
}

bool module_of(struct module *m) { return dl_iterate_phdr(find_module, m) != 0; }

static void each_symbol(const char *file, size_t size,
                        void (*visit)(const ElfW(Sym) * symbol, const char *name, void *context),
                        void *context) {
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
      header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > size)
    return;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    const ElfW(Shdr) *s = &sections[i];
    if (s->sh_type != SHT_SYMTAB || s->sh_offset + s->sh_size > size || s->sh_link >= header->e_shnum)
      continue;
    const ElfW(Sym) *symbols = (const void *)(file + s->sh_offset);
    const char *names = file + sections[s->sh_link].sh_offset;
    for (size_t k = 0; k < s->sh_size / sizeof *symbols; k++)
      if (symbols[k].st_shndx != SHN_UNDEF) visit(&symbols[k], names + symbols[k].st_name, context);
  }
}

void symtab_each(const char *file, void (*visit)(const ElfW(Sym) * symbol, const char *name, void *context),
                 void *context) {
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0) return;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (map != MAP_FAILED) {
      each_symbol(map, (size_t)status.st_size, visit, context);
      munmap(map, (size_t)status.st_size);
    }
  }
  close(descriptor);
}

/* A name is a length and so many letters; one may begin after a prefix of letters, after E, or where another
 * one ends. */
void symtab_plain_name(char *out, size_t size, const char *symbol) {
  snprintf(out, size, "%s", symbol);
  if (strncmp(symbol, "_Z", 2)) return;
  const char *start = symbol + 2;
  start += strspn(start, "ZNLK");
  for (const char *p = start, *end = start; *p; p++) {
    if (*p < '1' || *p > '9') continue;
    if (p != end && p[-1] != 'E' && !(p - 1 == end && *end == 'L')) continue;
    char *name;
    const unsigned long length = strtoul(p, &name, 10);
    if (strlen(name) < length) continue;
    snprintf(out, size, "%.*s", (int)length, name);
    end = name + length;
    p = end - 1;
  }
}
