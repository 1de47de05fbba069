/*
 * line_times.cc - lines=time: puts a LINE where control comes to another line, before calls and behind them
 * (wire/times.h).
 *
 * Marks (line_mark.h) are put in at the end of lowering, when lines are in the source's order at every level.  They
 * touch memory, so that no load or store leaves its line; register operations may.  Passes copy marks with the code
 * that they inline.
 *
 * If only a return follows a call, no mark stands between the two: it would no longer be a tail call, and a deep
 * recursion would overflow the stack.  The function's EXIT ends the line.  Marks in a function without timed lines,
 * from inlined functions, are removed.
 */
#include "compat.h"

#include "backend.h"
#include "blocks.h"
#include "line_flow.h"
#include "line_mark.h"
#include "probe_text.h"

namespace {

struct timing {
  function *fun;
  const char *function_name;  /* assembler's */
  auto_vec<location_t> lines; /* line n + 1 of the flow: a place on it */
  hash_set<basic_block> ways; /* get no marks: from a tail call to the return */
  auto_vec<uint32_t> blocks;  /* number in the flow, by index */
  struct prof_line_flow flow;
};

/* ---- kinds of statements ---- */

/* Makes no code of its own, or only code without a line. */
bool is_passed_over(gimple *statement) {
  return is_gimple_debug(statement) || gimple_clobber_p(statement) || gimple_code(statement) == GIMPLE_LABEL ||
         gimple_code(statement) == GIMPLE_NOP || gimple_code(statement) == GIMPLE_PREDICT;
}

/* A call whose time is not the line's own. */
bool is_real_call(gimple *statement) {
  gcall *call = dyn_cast<gcall *>(statement);
  return call && !gimple_call_internal_p(call) && !gimple_inexpensive_call_p(call);
}

/* May it stand between a tail call and the return?  `self`: the call is recursive. */
bool is_carried_to_return(gimple *statement, bool self) {
  if (!is_gimple_assign(statement) || !is_gimple_reg(gimple_assign_lhs(statement)) ||
      gimple_has_volatile_ops(statement))
    return false;
  return gimple_assign_single_p(statement) || gimple_assign_cast_p(statement) || self;
}

/*
 * Does only a return follow the call, or, for a recursive call, only code that tail recursion can move?  Ignores
 * exception edges: the call may prove not to throw.  *way: the blocks behind the call's own.
 */
bool ends_function(gcall *call, bool self, auto_vec<basic_block> *way) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  basic_block block = gimple_bb(call);
  gsi_next(&at);
  for (;;) {
    for (; !gsi_end_p(at); gsi_next(&at)) {
      if (gimple_code(gsi_stmt(at)) == GIMPLE_RETURN)
        return true;
      if (!is_passed_over(gsi_stmt(at)) && !is_carried_to_return(gsi_stmt(at), self))
        return false;
    }
    edge next = find_fallthru_edge(block->succs);
    if (!next || (!single_succ_p(block) && block != gimple_bb(call)) || next->flags & EDGE_ABNORMAL)
      return false;
    block = next->dest;
    if (block == EXIT_BLOCK_PTR_FOR_FN(cfun))
      return true;
    if (way->contains(block))
      return false;
    way->safe_push(block);
    at = gsi_start_bb(block);
  }
}

/* May it become a tail call, so that no mark may follow?  Then *way is filled. */
bool may_be_tail_call(timing *state, gcall *call, auto_vec<basic_block> *way) {
  return (gimple_call_must_tail_p(call) || opt_for_fn(state->fun->decl, flag_optimize_sibling_calls)) &&
         ends_function(call, gimple_call_fndecl(call) == state->fun->decl, way);
}

/* ---- lines ---- */

/* The line's number in the flow; 0: none. */
uint32_t line_of(timing *state, gimple *statement) {
  location_t location = gimple_location(statement);
  expanded_location where = expand_location(location);
  if (is_passed_over(statement) || RESERVED_LOCATION_P(location) || !where.file || where.line <= 0)
    return 0;
  for (unsigned i = state->lines.length(); i > 0; i--) /* the last ones are the likeliest */
    if (LOCATION_LINE(state->lines[i - 1]) == where.line && !strcmp(LOCATION_FILE(state->lines[i - 1]), where.file))
      return i;
  state->lines.safe_push(location);
  return state->lines.length();
}

gasm *mark_new(timing *state, uint32_t line, uint32_t flag) {
  location_t location = state->lines[line - 1];
  const char *given = LOCATION_FILE(location), *path = remap_debug_filename(given), *folder = get_src_pwd();
  char *whole =
      IS_ABSOLUTE_PATH(path) || !folder ? xstrdup(path) : concat(remap_debug_filename(folder), "/", path, NULL);
  struct prof_text text = {};
  vec<tree, va_gc> *clobbers = NULL;
  prof_line_mark_write(&text, PROF_PROBE_LINE | flag, LOCATION_LINE(location), state->function_name, whole);
  if (text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(6, "memory")));
  gasm *mark = gimple_build_asm_vec(ggc_strdup(prof_text_string(&text)), NULL, NULL, clobbers, NULL);
  gimple_asm_set_volatile(mark, true);
  prof_text_fini(&text);
  free(whole);
  return mark;
}

/* ---- the flow ---- */

void block_take(timing *state, basic_block block) {
  uint32_t left = PROF_LINE_SAME;
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    uint32_t line = line_of(state, gsi_stmt(at));
    auto_vec<basic_block> way;
    gcall *call = dyn_cast<gcall *>(gsi_stmt(at));
    left = line ? line : left;
    if (!call || !is_real_call(call) || !may_be_tail_call(state, call, &way))
      continue;
    left = PROF_LINE_UNKNOWN;
    for (unsigned i = 0; i < way.length(); i++)
      state->ways.add(way[i]);
    break;
  }
  state->blocks[block->index] = state->flow.block_count;
  prof_line_flow_block(&state->flow, left);
}

void edges_take(timing *state, basic_block block) {
  edge way;
  edge_iterator i;
  uint32_t to = state->blocks[block->index];
  if (prof_block_comes_abnormally(block))
    prof_line_flow_edge(&state->flow, PROF_LINE_FLOW_NOWHERE, to);
  FOR_EACH_EDGE(way, i, block->preds) {
    bool from_begin = way->src == ENTRY_BLOCK_PTR_FOR_FN(state->fun);
    prof_line_flow_edge(&state->flow, from_begin ? PROF_LINE_FLOW_NOWHERE : state->blocks[way->src->index], to);
  }
}

/* ---- marks ---- */

void call_mark(timing *state, gimple_stmt_iterator *at, uint32_t line, uint32_t *now) {
  gcall *call = as_a<gcall *>(gsi_stmt(*at));
  auto_vec<basic_block> way;
  bool is_first = prof_statement_stays_first(call);
  if (!is_first)
    gsi_insert_before(at, mark_new(state, line, PROF_ROW_LINE_CALLS), GSI_SAME_STMT);
  if (may_be_tail_call(state, call, &way)) {
    *now = UINT32_MAX; /* no more marks in this block */
    return;
  }
  gasm *behind = mark_new(state, line, PROF_ROW_LINE_GOES_ON);
  if (stmt_ends_bb_p(call)) {
    edge next = find_fallthru_edge(gimple_bb(call)->succs);
    if (next && !gimple_call_noreturn_p(call))
      gsi_insert_on_edge(next, behind);
  } else {
    gsi_insert_after(at, behind, GSI_NEW_STMT);
  }
  *now = line;
}

void block_mark(timing *state, basic_block block) {
  uint32_t now = prof_line_flow_found(&state->flow, state->blocks[block->index]);
  if (state->ways.contains(block))
    return;
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at) && now != UINT32_MAX; gsi_next(&at)) {
    gimple *statement = gsi_stmt(at);
    uint32_t line = line_of(state, statement);
    if (line && line != now && !prof_statement_stays_first(statement)) {
      gsi_insert_before(&at, mark_new(state, line, PROF_ROW_LINE_BEGINS), GSI_SAME_STMT);
      now = line;
    }
    if (is_gimple_call(statement) && is_real_call(statement) && (line || now))
      call_mark(state, &at, line ? line : now, &now);
  }
}

void function_mark(function *fun, const char *name) {
  timing state;
  basic_block block;
  memset(&state.flow, 0, sizeof state.flow);
  state.fun = fun;
  state.function_name = name;
  state.blocks.safe_grow_cleared(last_basic_block_for_fn(fun));
  FOR_EACH_BB_FN(block, fun)
  block_take(&state, block);
  FOR_EACH_BB_FN(block, fun)
  edges_take(&state, block);
  prof_line_flow_solve(&state.flow);
  if (state.flow.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  FOR_EACH_BB_FN(block, fun)
  block_mark(&state, block);
  gsi_commit_edge_inserts();
  prof_line_flow_fini(&state.flow);
}

/* A function that an option names is not inlined. */
void function_choose(function *fun) {
  prof_description description;
  prof_description_init(&description, fun);
  struct prof_candidate *facts = &description.facts;
  const struct prof_arguments *arguments = &prof_backend_unit.arguments;
  facts->statements = UINT32_MAX; /* unknown before optimisation */
  enum prof_times_choice choice = prof_select_times(arguments, facts);
  if (choice != PROF_TIMES_NOT && prof_select(arguments, facts) == PROF_REASON_PROBED) {
    if (choice == PROF_TIMES_NAMED && !lookup_attribute("always_inline", DECL_ATTRIBUTES(fun->decl)))
      DECL_UNINLINABLE(fun->decl) = 1;
    function_mark(fun, facts->assembler_name);
  }
  prof_description_fini(&description);
}

const pass_data times_pass_data = {GIMPLE_PASS, "prof_times", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_cfg, 0, 0, 0, 0};

struct times_pass : gimple_opt_pass {
  times_pass() : gimple_opt_pass(times_pass_data, g) {}
  opt_pass *clone() override { return new times_pass; }
  bool gate(function *) override { return prof_backend_unit.arch && !in_lto_p; }
  unsigned execute(function *fun) override {
    function_choose(fun);
    return 0;
  }
};

struct attribute_spec lines_attribute = {"prof_lines", 0, 0, true, false, false, false, NULL, NULL};

void on_lines_attribute(void *, void *) {
  register_attribute(&lines_attribute);
}

/* ---- at the end ---- */

template <typename F> void times_each(function *fun, F action) {
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
  for (gimple_stmt_iterator at = gsi_start_bb(block), next; !gsi_end_p(at); at = next) {
    next = at;
    gsi_next(&next);
    if (prof_times_is_mark(gsi_stmt(at)))
      action(&at, as_a<gasm *>(gsi_stmt(at)));
  }
}

/* Bytes of an assembler name without suffixes of clones. */
size_t base_bytes(const char *name) {
  return *name ? 1 + strcspn(name + 1, ".\n") : 0;
}

bool is_same_base(const char *a, const char *b) {
  return base_bytes(a) == base_bytes(b) && !strncmp(a, b, base_bytes(a));
}

/* The symbol of a text; writes the text to the assembler file at first use. */
const char *place_label(const char *place) {
  static hash_map<nofree_string_hash, const char *> labels; /* one compiler process is one file */
  bool is_known;
  const char *&label = labels.get_or_insert(xstrdup(place), &is_known);
  if (is_known)
    return label;
  struct prof_text text = {};
  label = xasprintf(".Lprof_place_%u", (unsigned)labels.elements());
  prof_probe_place(&text, label, place);
  if (text.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  fputs(prof_text_string(&text), asm_out_file);
  prof_text_fini(&text);
  return label;
}

void mark_become_probe(gasm *statement, const struct prof_candidate *facts, uint64_t key) {
  struct prof_line_mark mark;
  struct prof_text text = {}, escaped = {};
  if (!prof_line_mark_read(gimple_asm_string(statement), &mark))
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  prof_probe_add_line(&text, facts, key, mark.kind, mark.line, place_label(prof_text_string(&mark.place)));
  prof_text_add_template(&escaped, prof_text_string(&text));
  if (text.failed || escaped.failed)
    fatal_error(UNKNOWN_LOCATION, "prof: out of memory");
  statement->string = ggc_strdup(prof_text_string(&escaped));
  prof_text_fini(&text);
  prof_text_fini(&escaped);
  prof_line_mark_fini(&mark);
}

} // namespace

bool prof_times_is_mark(const gimple *statement) {
  const gasm *mark = dyn_cast<const gasm *>(statement);
  return mark && prof_line_mark_is(gimple_asm_string(mark));
}

bool prof_times_are_own(function *fun, const struct prof_candidate *facts) {
  bool any = false;
  times_each(fun, [&](gimple_stmt_iterator *, gasm *statement) {
    struct prof_line_mark mark;
    if (any || !prof_line_mark_read(gimple_asm_string(statement), &mark))
      return;
    any = is_same_base(prof_text_string(&mark.place), facts->assembler_name);
    prof_line_mark_fini(&mark);
  });
  return any;
}

void prof_times_put(function *fun, const struct prof_candidate *facts, uint64_t key) {
  times_each(fun, [&](gimple_stmt_iterator *, gasm *statement) { mark_become_probe(statement, facts, key); });
}

void prof_times_remove(function *fun) {
  times_each(fun, [](gimple_stmt_iterator *at, gasm *) {
    unlink_stmt_vdef(gsi_stmt(*at));
    gsi_remove(at, true);
  });
}

void prof_times_register(const char *plugin) {
  register_pass_info times = {};
  times.pass = new times_pass;
  times.reference_pass_name = "*build_cgraph_edges";
  times.ref_pass_instance_number = 1;
  times.pos_op = PASS_POS_INSERT_BEFORE;
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &times);
  register_callback(plugin, PLUGIN_ATTRIBUTES, on_lines_attribute, NULL);
}
