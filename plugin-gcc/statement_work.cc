/*
 * statement_work.cc - floating-point operations and bytes of one statement at the end of GCC's passes (wire/work.h).
 *
 * Fused operations are two, whether GCC fuses them here or while it makes instructions.  What it makes in other ways
 * there is an interval: divisions by estimates (-ffast-math), conversions of unsigned numbers, masked accesses.
 */
#include "final_work.h"

#include "backend.h"
#include "counts.h"
#include "loops.h"

namespace {

#define ESTIMATE_MOST 8 /* operations of a division or square root by an estimate and one step of Newton's */

/* Lanes of an arithmetic type of floating-point numbers; 0: another type. */
uint64_t lanes_of(tree type) {
  unsigned HOST_WIDE_INT lanes = 1;
  if (VECTOR_TYPE_P(type) && !TYPE_VECTOR_SUBPARTS(type).is_constant(&lanes))
    return 0;
  return SCALAR_FLOAT_TYPE_P(VECTOR_TYPE_P(type) ? TREE_TYPE(type) : type) ? lanes : 0;
}

tree lane_of(tree type) {
  return VECTOR_TYPE_P(type) ? TREE_TYPE(type) : type;
}

/* Has the type no instructions, so that the compiler's library computes? */
bool is_of_library(tree type) {
  return DECIMAL_FLOAT_TYPE_P(lane_of(type)) || TYPE_PRECISION(lane_of(type)) > 80;
}

uint64_t bytes_of(tree type) {
  tree size = TYPE_SIZE_UNIT(type);
  return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

bool may_be_estimate(tree type) {
  return flag_finite_math_only && !flag_trapping_math && flag_unsafe_math_optimizations &&
         TYPE_PRECISION(lane_of(type)) == 32;
}

void flops_add(struct prof_work *work, tree type, unsigned least, unsigned most) {
  if (is_of_library(type))
    work->unknown_flops++;
  else
    prof_work_add_flops(work, lanes_of(type), least, most);
}

/* Of an unsigned number: without AVX-512 by signed conversions, and additions that correct them. */
void conversion_add(tree from, tree to, struct prof_work *work) {
  tree whole = lanes_of(to) ? from : to, other = lanes_of(to) ? to : from;
  bool wide = TYPE_PRECISION(lane_of(whole)) >= (VECTOR_TYPE_P(whole) ? 32 : 64);
  if (is_of_library(other))
    work->unknown_flops++;
  else if (TYPE_UNSIGNED(lane_of(whole)) && wide)
    prof_work_add_flops(work, lanes_of(other), 0, 4);
}

void arithmetic_add(gimple *statement, struct prof_work *work) {
  tree type = TREE_TYPE(gimple_assign_lhs(statement));
  enum tree_code code = gimple_assign_rhs_code(statement);
  if (COMPLEX_FLOAT_TYPE_P(type) && !gimple_assign_single_p(statement) && code != COMPLEX_EXPR)
    work->unknown_flops++;
  if (code == FLOAT_EXPR)
    conversion_add(TREE_TYPE(gimple_assign_rhs1(statement)), type, work);
  else if (code == FIX_TRUNC_EXPR)
    conversion_add(TREE_TYPE(gimple_assign_rhs1(statement)), type, work);
  else if (!lanes_of(type))
    return;
  else if (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR)
    flops_add(work, type, 1, 1);
  else if (code == RDIV_EXPR)
    flops_add(work, type, 1, may_be_estimate(type) ? ESTIMATE_MOST : 1);
}

/* ---- memory ---- */

/* A part of a word that only has bits; *most: bytes of its word, or of two. */
bool is_bits(tree place, uint64_t *least, uint64_t *most) {
  bool bits = TREE_CODE(place) == BIT_FIELD_REF ||
              (TREE_CODE(place) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(place, 1)));
  *least = bytes_of(TREE_TYPE(place));
  *most = bits ? MAX(16, *least) : *least;
  if (bits)
    *least = 1;
  return bits;
}

/* Is it the word by which counters move (wire/counts.h)? */
bool is_ours(tree place) {
  tree base = get_base_address(place);
  return base && VAR_P(base) && DECL_ASSEMBLER_NAME_SET_P(base) &&
         !strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(base)), PROF_COUNTS_SWITCH);
}

void load_add(tree place, struct prof_work *work) {
  uint64_t least, most;
  is_bits(place, &least, &most);
  if (is_ours(place))
    return;
  work->loaded += least;
  work->more_loaded += most - least;
}

void store_add(tree place, struct prof_work *work) {
  uint64_t least, most;
  if (is_bits(place, &least, &most))
    work->more_loaded += most;
  work->stored += least;
  work->more_stored += most - least;
}

/* Does it permute a vector, or take a half of it? */
bool takes_parts(enum tree_code code) {
  return code == VEC_PERM_EXPR || code == VEC_UNPACK_LO_EXPR || code == VEC_UNPACK_HI_EXPR ||
         code == VEC_UNPACK_FLOAT_LO_EXPR || code == VEC_UNPACK_FLOAT_HI_EXPR || code == BIT_FIELD_REF;
}

/* A vector that several of these use may be loaded by each of them. */
void permuted_add(tree left, struct prof_work *work) {
  use_operand_p use;
  imm_use_iterator i;
  unsigned uses = 0, permutations = 0;
  if (TREE_CODE(left) != SSA_NAME || !VECTOR_TYPE_P(TREE_TYPE(left)))
    return;
  FOR_EACH_IMM_USE_FAST(use, i, left) {
    gimple *by = USE_STMT(use);
    uses += !is_gimple_debug(by);
    permutations += is_gimple_assign(by) && takes_parts(gimple_assign_rhs_code(by));
  }
  if (permutations && uses > 1)
    work->more_loaded += (uses - 1) * bytes_of(TREE_TYPE(left));
}

void assignment_add(gimple *statement, struct prof_work *work) {
  if (gimple_clobber_p(statement))
    return;
  if (gimple_assign_load_p(statement)) {
    load_add(gimple_assign_rhs1(statement), work);
    permuted_add(gimple_assign_lhs(statement), work);
  }
  if (gimple_store_p(statement))
    store_add(gimple_assign_lhs(statement), work);
  arithmetic_add(statement, work);
}

/* ---- calls ---- */

enum internal_kind { COMPUTES, ESTIMATES, MASKED, SUMS, SUMS_IN_ORDER, LOADS, STORES };

struct internal_row {
  const char *name; /* not the enumerator, which majors lack or add */
  internal_kind kind;
  unsigned flops; /* per lane */
};

const internal_row internal_rows[] = {
    {"FMA", COMPUTES, 2},
    {"FMS", COMPUTES, 2},
    {"FNMA", COMPUTES, 2},
    {"FNMS", COMPUTES, 2},
    {"SQRT", ESTIMATES, 1},
    {"RSQRT", ESTIMATES, 1},
    {"VEC_ADDSUB", COMPUTES, 1},
    {"VEC_FMADDSUB", COMPUTES, 2},
    {"VEC_FMSUBADD", COMPUTES, 2},
    {"COND_ADD", MASKED, 1},
    {"COND_SUB", MASKED, 1},
    {"COND_MUL", MASKED, 1},
    {"COND_RDIV", MASKED, 1},
    {"COND_FMA", MASKED, 2},
    {"COND_FMS", MASKED, 2},
    {"COND_FNMA", MASKED, 2},
    {"COND_FNMS", MASKED, 2},
    {"REDUC_PLUS", SUMS, 1},
    {"FOLD_LEFT_PLUS", SUMS_IN_ORDER, 1},
    {"MASK_LOAD", LOADS, 0},
    {"MASK_STORE", STORES, 0},
};

/* All lanes execute a masked operation; whether they count is a matter of view. */
void internal_compute(gcall *call, const internal_row *row, struct prof_work *work) {
  tree left = gimple_call_lhs(call), last = gimple_call_arg(call, gimple_call_num_args(call) - 1);
  tree type = left ? TREE_TYPE(left) : TREE_TYPE(last);
  if (row->kind == LOADS)
    work->more_loaded += bytes_of(type);
  else if (row->kind == STORES)
    work->more_stored += bytes_of(TREE_TYPE(last));
  else if (!lanes_of(type))
    return;
  else if (row->kind == SUMS)
    work->flops += prof_work_sum_of_lanes(lanes_of(TREE_TYPE(last)), 8 * bytes_of(TREE_TYPE(last)), false);
  else if (row->kind == SUMS_IN_ORDER)
    work->flops += lanes_of(TREE_TYPE(last));
  else
    flops_add(work, type, row->kind == MASKED ? 0 : row->flops,
              row->kind == ESTIMATES && may_be_estimate(type) ? ESTIMATE_MOST : row->flops);
}

/* Functions of the compiler alone (widening, overflow tests) do none, unless they have such types. */
void internal_add(gcall *call, struct prof_work *work) {
  tree left = gimple_call_lhs(call);
  const char *name = internal_fn_name(gimple_call_internal_fn(call));
  for (const internal_row &row : internal_rows)
    if (!strcmp(row.name, name)) {
      internal_compute(call, &row, work);
      return;
    }
  bool computes = left && (lanes_of(TREE_TYPE(left)) || COMPLEX_FLOAT_TYPE_P(TREE_TYPE(left)));
  work->unknown_flops += computes && !gimple_vuse(call);
  work->unknown_bytes += gimple_vuse(call) != NULL_TREE;
}

/* memcpy and its like: known if the length is. */
void memory_function_add(gcall *call, struct prof_work *work) {
  tree length = gimple_call_num_args(call) == 3 ? gimple_call_arg(call, 2) : NULL_TREE;
  bool copies = gimple_call_builtin_p(call, BUILT_IN_MEMCPY) || gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) ||
                gimple_call_builtin_p(call, BUILT_IN_MEMPCPY);
  if (!length || !tree_fits_uhwi_p(length) || (!copies && !gimple_call_builtin_p(call, BUILT_IN_MEMSET))) {
    work->unknown_bytes++;
    return;
  }
  work->loaded += copies ? tree_to_uhwi(length) : 0;
  work->stored += tree_to_uhwi(length);
}

/* A function that GCC knows: of the language, or an instruction of the target. */
void builtin_add(gcall *call, tree called, struct prof_work *work) {
  const char *name = IDENTIFIER_POINTER(DECL_NAME(called));
  tree type = TREE_TYPE(TREE_TYPE(called));
  bool computes = lanes_of(type) || COMPLEX_FLOAT_TYPE_P(type);
  if (DECL_BUILT_IN_CLASS(called) == BUILT_IN_MD) {
    work->unknown_flops += computes;
    work->unknown_bytes += gimple_vuse(call) != NULL_TREE;
    return;
  }
  const char *plain = !strncmp(name, "__builtin_", 10) ? name + 10 : name;
  if (!strncmp(plain, "__atomic_", 9) || !strncmp(plain, "__sync_", 7))
    work->unknown_bytes++;
  if (prof_work_is_memory_function(plain))
    memory_function_add(call, work);
  uint32_t flops = computes ? prof_work_of_math(name, PROF_TARGET_HAS_FUSED) : 0;
  if (flops == PROF_WORK_UNKNOWN)
    work->unknown_flops++;
  else
    prof_work_add_flops(work, 1, flops, flops);
}

void call_add(gcall *call, struct prof_work *work) {
  if (gimple_call_internal_p(call)) {
    internal_add(call, work);
    return;
  }
  tree called = gimple_call_fndecl(call);
  if (called && fndecl_built_in_p(called))
    builtin_add(call, called, work);
  if (gimple_store_p(call) && !aggregate_value_p(gimple_call_lhs(call), gimple_call_fntype(call)))
    store_add(gimple_call_lhs(call), work);
}

/* Of the program, with code that only the assembler knows.  Ours are marks, steps of counters, probes and zones. */
bool is_foreign_text(gasm *text) {
  unsigned record;
  uint32_t kind;
  const char *string = gimple_asm_string(text);
  const struct prof_arch *arch = prof_backend_unit.arch;
  struct prof_text step = {};
  prof_text_format(&step, prof_target_is_other_dialect() ? arch->count_step_other : arch->count_step, "%0");
  bool is_step = !strcmp(prof_text_string(&step), string);
  prof_text_fini(&step);
  return *string && !is_step && !prof_loop_mark_read(text, &record, &kind) && !prof_times_is_mark(text) &&
         strncmp(string, "__prof_", 7) != 0 && !strstr(string, PROF_ROWS_SECTION);
}

} // namespace

void prof_work_of_statement(gimple *statement, struct prof_work *work) {
  if (is_gimple_assign(statement))
    assignment_add(statement, work);
  else if (gcall *call = dyn_cast<gcall *>(statement))
    call_add(call, work);
  else if (gasm *text = dyn_cast<gasm *>(statement)) {
    bool foreign = is_foreign_text(text);
    work->unknown_flops += foreign;
    work->unknown_bytes += foreign;
  }
}
