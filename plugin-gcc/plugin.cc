/*
 * plugin.cc - registers with GCC: arguments, the attribute, the pass, the text at the end of a unit.
 *
 * One process compiles one unit (with LTO: one partition).  Errors are GCC's diagnostics.
 */
#include "compat.h"

#include "backend.h"
#include "constructor.h"
#include "final_work.h"
#include "listing.h"
#include "loops.h"
#include "lto_mark.h"
#include "values.h"

#define PROF_EXPORT __attribute__((visibility("default")))

PROF_EXPORT int plugin_is_GPL_compatible;

struct prof_unit prof_backend_unit;

static bool arguments_take(const struct plugin_name_args *plugin) {
  bool good = true;
  for (int i = 0; i < plugin->argc; i++) {
    struct prof_text fault = {};
    if (!prof_arguments_set(&prof_backend_unit.arguments, plugin->argv[i].key, plugin->argv[i].value, &fault)) {
      error("%s", prof_text_string(&fault));
      good = false;
    }
    prof_text_fini(&fault);
  }
  return good;
}

static void listing_write() {
  struct prof_unit *unit = &prof_backend_unit;
  if (!unit->arguments.list_path)
    return;
  int failure = prof_listing_append(unit->arguments.list_path, &unit->listing);
  if (failure)
    error("prof cannot write the listing %qs: %s; give %<-fplugin-arg-prof-list=%> a file that can be written",
          unit->arguments.list_path, xstrerror(failure));
  prof_text_clear(&unit->listing);
}

/*
 * A seed that is equal if the same file is compiled again into the same object, and differs otherwise: folder and
 * output name, after -ffile-prefix-map.  -fcompare-debug compiles a second time to NAME.gk and compares.
 */
static uint64_t unit_seed() {
  const char *folder = get_src_pwd();
  char *output = xstrdup(aux_base_name ? aux_base_name : "");
  size_t length = strlen(output);
  if (flag_compare_debug && length > 3 && !strcmp(output + length - 3, ".gk"))
    output[length - 3] = 0;
  uint64_t seed = prof_facts_hash(0, folder ? remap_debug_filename(folder) : "");
  seed = prof_facts_hash(seed, remap_debug_filename(output));
  free(output);
  return seed;
}

static void on_start_unit(void *, void *) {
  struct prof_unit *unit = &prof_backend_unit;
  unit->source = main_input_filename && !in_lto_p ? remap_debug_filename(main_input_filename) : "";
  unit->compiler = concat(lang_hooks.name, " ", gcc_version.basever, NULL);
  unit->seed = unit_seed();
  unit->arch = prof_target_arch();
  if (!unit->arch)
    inform(UNKNOWN_LOCATION, PROF_TARGET_REFUSAL);
}

static void on_attributes(void *, void *) {
  static struct attribute_spec attribute = {"prof_probe", 0, 0, true, false, false, false, NULL, NULL};
  register_attribute(&attribute);
}

/* A function with the attribute is not inlined, unless the source forces it. */
static void on_function(void *declaration, void *) {
  tree function = (tree)declaration;
  if (TREE_CODE(function) == FUNCTION_DECL && lookup_attribute("prof_probe", DECL_ATTRIBUTES(function)) &&
      !lookup_attribute("always_inline", DECL_ATTRIBUTES(function)))
    DECL_UNINLINABLE(function) = 1;
}

static void on_finish_unit(void *, void *) {
  struct prof_unit *unit = &prof_backend_unit;
  listing_write();
  if (!unit->probed_functions || !asm_out_file)
    return;
  bool is_other = prof_target_is_other_dialect();
  struct prof_text text = {};
  if (is_other)
    prof_text_add(&text, unit->arch->dialect_enter);
  prof_constructor_text(&text, unit->arch);
  prof_text_add(&text, prof_work_text());
  if (is_other)
    prof_text_add(&text, unit->arch->dialect_leave);
  if (text.failed)
    error("prof: out of memory");
  fputs(prof_text_string(&text), asm_out_file);
  prof_text_fini(&text);
}

/* Before the intermediate code of an -flto unit is written: see lto_mark.h. */
static void on_ipa_start(void *, void *) {
  struct prof_unit *unit = &prof_backend_unit;
  struct prof_text text = {};
  if (!flag_generate_lto || in_lto_p || !unit->arch || !symtab->first_function_with_gimple_body())
    return;
  prof_lto_mark_add(&text, unit);
  if (text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  symtab->finalize_toplevel_asm(build_string(text.length, prof_text_string(&text)));
  prof_text_fini(&text);
}

/* That code is written; from here on this process generates machine code. */
static void on_ipa_end(void *, void *) {
  for (asm_node *node = symtab->first_asm_symbol(); node; node = node->next)
    if (prof_lto_mark_is(TREE_STRING_POINTER(node->asm_str), TREE_STRING_LENGTH(node->asm_str)))
      node->asm_str = build_string(1, "");
}

static void help_print() {
  struct prof_text text = {};
  prof_arguments_help(&text);
  fputs(prof_text_string(&text), stderr);
  prof_text_fini(&text);
}

PROF_EXPORT int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    fprintf(stderr,
            "prof: this backend was built for GCC %s (%s), and this is GCC %s (%s); build prof again with this "
            "compiler's plugin headers\n",
            gcc_version.basever, gcc_version.datestamp, version->basever, version->datestamp);
    return 1;
  }
  if (!arguments_take(plugin))
    return 0; /* the errors end the compilation, with GCC's text after them */
  if (prof_backend_unit.arguments.help)
    help_print();
  listing_write();
  register_pass_info pass = {};
  pass.pass = prof_functions_pass_new();
  pass.reference_pass_name = "optimized";
  pass.ref_pass_instance_number = 1;
  pass.pos_op = PASS_POS_INSERT_AFTER;
  register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
  prof_loops_register(plugin->base_name);
  register_pass_info counts = {};
  counts.pass = prof_counts_pass_new();
  counts.reference_pass_name = "*build_cgraph_edges";
  counts.ref_pass_instance_number = 1;
  counts.pos_op = PASS_POS_INSERT_BEFORE;
  register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &counts);
  prof_count_blocks_register(plugin->base_name);
  prof_count_conditions_register(plugin->base_name);
  prof_times_register(plugin->base_name);
  prof_values_register(plugin->base_name);
  register_callback(plugin->base_name, PLUGIN_START_UNIT, on_start_unit, NULL);
  register_callback(plugin->base_name, PLUGIN_ATTRIBUTES, on_attributes, NULL);
  register_callback(plugin->base_name, PLUGIN_PRE_GENERICIZE, on_function, NULL);
  prof_iterations_register(plugin->base_name); /* GCC calls what was registered last first */
  register_callback(plugin->base_name, PLUGIN_ALL_IPA_PASSES_START, on_ipa_start, NULL);
  register_callback(plugin->base_name, PLUGIN_ALL_IPA_PASSES_END, on_ipa_end, NULL);
  register_callback(plugin->base_name, PLUGIN_FINISH_UNIT, on_finish_unit, NULL);
  return 0;
}
