/*
 * gaps: leaves room after each `__shared__` array of an object file that cucc made, so that an index past
 * the array's end does not land in the next one, where the checker would take it for an access of that.
 *
 * Shared arrays are thread-local variables without a value (include/cucc/kernel.h), and -fdata-sections gives
 * each a section of its own, .tbss.NAME. Such a section has a size but no bytes in the file, so making it
 * longer is one number in its header; the variable keeps its size in the symbol table, which the runtime
 * compares accesses with (runtime/shared.c). The order in which compiler and linker place them does not
 * matter.
 *
 *     gaps OBJECT    prints a line, "none", if the object has no shared arrays and no __constant__ variables
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 1024 }; /* a few rows of a tile; a multiple of 128, so that no array moves to other banks */

static const char constants[] = "cucc_constant"; /* the section of __constant__ variables */

/* Whether the name `at` bytes into the table of names is this one. */
static int is_called(const char *file, size_t size, const Elf64_Shdr *names, size_t at, const char *name) {
  const size_t length = strlen(name) + 1;
  if (names->sh_offset > size || at > size - names->sh_offset) return 0;
  return length <= size - names->sh_offset - at && !memcmp(file + names->sh_offset + at, name, length);
}

/* Returns 1 if it found neither shared arrays nor __constant__ variables. A file of another kind (ELF of 32
 * bits, a compiler's own format for -flto) is left as it is. */
static int widen(char *file, size_t size) {
  const Elf64_Ehdr *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr) ||
      header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr))
    return 0;
  Elf64_Shdr *sections = (void *)(file + header->e_shoff);
  int found = header->e_shstrndx >= header->e_shnum; /* too many sections for this table */
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type == SHT_NOBITS && (sections[i].sh_flags & SHF_TLS) && sections[i].sh_size)
      sections[i].sh_size += GAP;
    found = found || (sections[i].sh_flags & SHF_TLS) ||
            is_called(file, size, &sections[header->e_shstrndx], sections[i].sh_name, constants);
  }
  return !found;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
  long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size == 0) return 0; /* -o /dev/null */
  char *text = size > 0 ? malloc((size_t)size) : NULL;
  if (text) {
    rewind(file);
    if (fread(text, 1, (size_t)size, file) == (size_t)size) {
      const int none = widen(text, (size_t)size);
      rewind(file);
      if (fwrite(text, 1, (size_t)size, file) == (size_t)size && fclose(file) == 0)
        return none && puts("none") < 0;
    }
  }
  fprintf(stderr, "cucc: cannot read or write the object file %s\n", argc > 1 ? argv[1] : "");
  return 1;
}
