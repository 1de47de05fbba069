/*
 * constructor.c - see constructor.h.  Sections, symbols and data of the start group; the code is the architecture's.
 *
 * Symbols: the group's own (constructor), __prof_stop (destructor), PROF_HOOKS_SYMBOL.  Labels for the code:
 *   .Lprof_record_name .Lprof_standby_name .Lprof_runtime_name   environment variables
 *   .Lprof_runtime_file                      loaded unless PROF_RUNTIME is set
 *   .Lprof_attach_name .Lprof_detach_name    entry points
 *   .Lprof_dlopen_name                       the loader's function
 *   .Lprof_detach                            word: address of the destructor's entry point
 *   .Lprof_say_<case> .. _end                one line for stderr each
 * The code defines .Lprof_late_begin, _call, _gate and _leave (wire/late.h), to which the group's note leads.
 * All symbols are hidden: each executable and shared library has its own.
 */
#include "constructor.h"

#include "late.h"

#define STOP_SYMBOL PROF_STOP_SYMBOL
#define HOOKS_BYTES 16 /* sizeof(struct prof_hooks), with 64-bit pointers */
#define GROUP(name, flags, type) "\t.pushsection " name ",\"" flags "G\",@" type "," PROF_START_GROUP ",comdat\n"

_Static_assert(sizeof(struct prof_hooks) == HOOKS_BYTES, "the hooks object must have the size of its struct");

struct label_string {
  const char *label, *string;
};

/* The lines that the start code may write; a label `<label>_end` follows each. */
static const struct label_string messages[] = {
    {"static", "prof: not recording: a static program without runtime; link libprof-runtime.a with "
               "-Wl,--whole-archive, or link dynamically\n"},
    {"missing",
     "prof: not recording: cannot load the runtime (" PROF_RUNTIME_FILE ", or the file that " PROF_ENV_RUNTIME
     " names); run the program under 'prof record', or set " PROF_ENV_RUNTIME " to the runtime's path\n"},
    {"other", "prof: not recording: runtime and plugin differ in version; recompile the program with this prof's "
              "plugin\n"},
};

static const struct label_string names[] = {
    {"record_name", PROF_ENV_RECORD},   {"runtime_name", PROF_ENV_RUNTIME},  {"runtime_file", PROF_RUNTIME_FILE},
    {"standby_name", PROF_ENV_STANDBY}, {"attach_name", PROF_ATTACH_SYMBOL}, {"detach_name", PROF_DETACH_SYMBOL},
    {"dlopen_name", "dlopen"},
};

static void add_strings(struct prof_text *text) {
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    prof_text_format(text, ".Lprof_%s:\t.string \"%s\"\n", names[i].label, names[i].string);
  for (unsigned i = 0; i < sizeof messages / sizeof *messages; i++) {
    prof_text_format(text, ".Lprof_say_%s:\t.ascii \"", messages[i].label);
    prof_text_add_literal(text, messages[i].string);
    prof_text_format(text, "\"\n.Lprof_say_%s_end:\n", messages[i].label);
  }
}

static void add_note(struct prof_text *text) {
  static const char *const places[] = {"begin", "call", "gate", "leave"};
  prof_text_add(text, GROUP(PROF_LATE_SECTION, "a", "note") /**/ "\t.p2align 2\n");
  prof_text_format(text, "\t.long %zu,%zu,%d\n\t.string \"" PROF_LATE_NAME "\"\n\t.p2align 2\n\t.long %d\n",
                   sizeof PROF_LATE_NAME, sizeof(struct prof_late_note), PROF_LATE_NOTE, PROF_WIRE_VERSION);
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    prof_text_format(text, "\t.long .Lprof_late_%s-.\n", places[i]);
  prof_text_add(text, "\t.popsection\n");
}

/* The data that the code refers to, and the arrays that call it; neither depends on the place of the code. */
static void add_data(struct prof_text *text) {
  static const char *const weak[] = {
      PROF_ROWS_START,    PROF_ROWS_STOP, PROF_ATTACH_SYMBOL, PROF_DETACH_SYMBOL, "secure_getenv", "getenv", "dlsym",
      "__errno_location", "write",
  };
  for (unsigned i = 0; i < sizeof weak / sizeof *weak; i++)
    prof_text_format(text, "\t.weak %s\n", weak[i]);
  prof_text_add(text, "\t.hidden " PROF_ROWS_START "\n"
                      "\t.hidden " PROF_ROWS_STOP "\n");

  prof_text_add(text, GROUP(".rodata." PROF_START_GROUP, "a", "progbits"));
  add_strings(text);
  prof_text_add(text, "\t.popsection\n");

  prof_text_add(text, GROUP(".bss." PROF_START_GROUP, "aw", "nobits") /**/
                "\t.p2align 3\n"
                ".Lprof_detach:\n"
                "\t.zero 8\n"
                "\t.popsection\n");

  /* Runs before every constructor of the program; destructors run backwards, so after all of them. */
  prof_text_add(text, GROUP(".init_array.00090", "aw", "init_array") /**/
                "\t.p2align 3\n"
                "\t.quad " PROF_START_GROUP "\n"
                "\t.popsection\n" GROUP(".fini_array.00090", "aw", "fini_array") /**/
                "\t.p2align 3\n"
                "\t.quad " STOP_SYMBOL "\n"
                "\t.popsection\n");
  add_note(text);
}

static void add_symbol(struct prof_text *text, const char *name, const char *type) {
  prof_text_format(text, "\t.weak %s\n\t.hidden %s\n\t.type %s,@%s\n", name, name, name, type);
}

static void add_function(struct prof_text *text, const char *name, const char *body) {
  add_symbol(text, name, "function");
  prof_text_format(text, "\t.p2align 4\n%s:\n\t.cfi_startproc\n", name);
  prof_text_add(text, body);
  prof_text_format(text, "\t.cfi_endproc\n\t.size %s,.-%s\n", name, name);
}

void prof_constructor_text(struct prof_text *text, const struct prof_arch *arch) {
  add_data(text);
  prof_text_add(text, GROUP(".text." PROF_START_GROUP, "ax", "progbits"));
  add_function(text, PROF_START_GROUP, arch->start_code);
  add_function(text, STOP_SYMBOL, arch->stop_code);
  prof_text_add(text, "\t.popsection\n" GROUP(".bss." PROF_START_GROUP, "aw", "nobits"));
  add_symbol(text, PROF_HOOKS_SYMBOL, "object");
  prof_text_format(text, "\t.size %s,%d\n\t.p2align 3\n%s:\n\t.zero %d\n\t.popsection\n", PROF_HOOKS_SYMBOL,
                   HOOKS_BYTES, PROF_HOOKS_SYMBOL, HOOKS_BYTES);
}

void prof_constructor_bodies(struct prof_text *start, struct prof_text *stop, const struct prof_arch *arch) {
  add_data(start);
  prof_text_add(start, arch->start_code);
  prof_text_add(stop, arch->stop_code);
}
