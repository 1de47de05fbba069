/*
 * description.cc - describes one function: names, places, obstacles (struct prof_candidate).
 *
 * In: GCC's declaration.  Out: strings owned by the description or borrowed from the compiler.
 */
#include "compat.h"

#include "backend.h"

namespace {

enum prof_language language_of(const char *name) {
  static const struct {
    const char *prefix;
    enum prof_language language;
  } rows[] = {
      {"GNU C++", PROF_LANGUAGE_CXX},           {"GNU C", PROF_LANGUAGE_C},     {"GNU Fortran", PROF_LANGUAGE_FORTRAN},
      {"GNU Objective-C++", PROF_LANGUAGE_CXX}, {"GNU Ada", PROF_LANGUAGE_ADA}, {"GNU D", PROF_LANGUAGE_D},
  };
  for (const auto &row : rows)
    if (!strncmp(name, row.prefix, strlen(row.prefix)))
      return row.language;
  return PROF_LANGUAGE_UNKNOWN;
}

bool is_resolver(tree declaration) {
  if (lookup_attribute("ifunc", DECL_ATTRIBUTES(declaration)))
    return true;
  cgraph_node *node = cgraph_node::get(declaration), *alias;
  ipa_ref *reference;
  for (int i = 0; node && node->iterate_direct_aliases(i, reference); i++) {
    alias = dyn_cast<cgraph_node *>(reference->referring);
    if (alias && (alias->ifunc_resolver || lookup_attribute("ifunc", DECL_ATTRIBUTES(alias->decl))))
      return true;
  }
  return false;
}

uint32_t obstacles_of(tree declaration) {
  uint32_t obstacles = 0;
  if (lookup_attribute("naked", DECL_ATTRIBUTES(declaration)))
    obstacles |= PROF_OBSTACLE_NAKED;
  if (is_resolver(declaration))
    obstacles |= PROF_OBSTACLE_RESOLVER;
  if (lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(declaration)))
    obstacles |= PROF_OBSTACLE_NO_INSTRUMENT;
  return obstacles;
}

/* Sets the function's other names for globs; the caller frees the strings at `owned`. */
void names_set(struct prof_candidate *facts, tree declaration, char *owned[2]) {
  const char *plain = facts->assembler_name, *dot = strchr(plain + 1, '.');
  facts->names[0] = DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : NULL;
  owned[0] = dot ? xstrndup(plain, dot - plain) : NULL; /* f of f.constprop.0 */
  owned[1] = cplus_demangle_v3(owned[0] ? owned[0] : plain, 0) /* without parameters */;
  facts->names[1] = owned[0];
  facts->names[2] = owned[1];
}

/*
 * gfortran's names differ from the source's for the main program (MAIN__) and internal procedures (inner.0).  Returns
 * the source's name after its parents', "__module_MOD_outer::inner"; NULL: the assembler name is enough.  The caller
 * frees it.
 */
char *fortran_source_name(tree declaration) {
  const char *assembler_name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
  bool is_main = !strncmp(assembler_name, "MAIN__", 6);
  tree outer = decl_function_context(declaration);
  const char *own = DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : assembler_name;
  if (!outer)
    return is_main && strcmp(own, "MAIN__") ? xstrdup(own) : NULL;
  char *outer_name = fortran_source_name(outer);
  char *name = concat(outer_name ? outer_name : IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(outer)), "::", own, NULL);
  free(outer_name);
  return name;
}

void facts_set(struct prof_candidate *facts, function *fun) {
  tree declaration = fun->decl, unit = CONST_CAST_TREE(get_ultimate_context(declaration));
  const char *language = lang_hooks.name;
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(declaration));
  facts->file = where.file ? where.file : "";
  facts->recorded_file = remap_debug_filename(facts->file);
  facts->line = where.line;
  facts->unit = main_input_filename ? main_input_filename : "";
  if (unit && TREE_CODE(unit) == TRANSLATION_UNIT_DECL) {
    if (DECL_NAME(unit))
      facts->unit = IDENTIFIER_POINTER(DECL_NAME(unit));
    if (TRANSLATION_UNIT_LANGUAGE(unit))
      language = TRANSLATION_UNIT_LANGUAGE(unit);
  }
  facts->unit = remap_debug_filename(facts->unit);
  facts->language = language_of(language);
  facts->obstacles = obstacles_of(declaration);
  facts->annotated = lookup_attribute("prof_probe", DECL_ATTRIBUTES(declaration)) != NULL_TREE;
  facts->wants_times = lookup_attribute("prof_lines", DECL_ATTRIBUTES(declaration)) != NULL_TREE;
  facts->in_group = DECL_COMDAT_GROUP(declaration) != NULL_TREE;
  if (!TREE_PUBLIC(declaration))
    facts->flags |= PROF_FUNCTION_STATIC;
  if (DECL_ARTIFICIAL(declaration))
    facts->flags |= PROF_FUNCTION_ARTIFICIAL;
}

} // namespace

void prof_description_init(struct prof_description *description, function *fun) {
  struct prof_candidate *facts = &description->facts;
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fun->decl));
  memset(description, 0, sizeof *description);
  description->owned[2] = *name == '*' ? xstrdup(name + 1) : concat(user_label_prefix, name, NULL);
  facts->assembler_name = description->owned[2];
  names_set(facts, fun->decl, description->owned);
  facts_set(facts, fun);
  if (facts->language == PROF_LANGUAGE_FORTRAN)
    description->owned[3] = fortran_source_name(fun->decl);
  facts->source_name = description->owned[3];
}

void prof_description_fini(struct prof_description *description) {
  for (char *string : description->owned)
    free(string);
}
