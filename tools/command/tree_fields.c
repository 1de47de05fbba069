/*
 * tools/command/tree_fields.c - see tree_fields.h.
 */
#include "tree_fields.h"

enum need { ALWAYS, CPU, WAITS, GPU, BURSTS };

struct prof_tree_field {
  struct prof_field of; /* in struct prof_tree_node */
  enum need need;
};

#define AT(member) PROF_MEMBER(struct prof_tree_node, member)
static const struct prof_tree_field table_fields[] = {
    {{{NULL, "TOTAL", PROF_CELL_NS}, AT(total.elapsed)}, ALWAYS},
    {{{NULL, "TOTAL%", PROF_CELL_SHARE}, AT(share)}, ALWAYS},
    {{{NULL, "SELF", PROF_CELL_NS}, AT(self_ns)}, ALWAYS},
    {{{NULL, "WAIT", PROF_CELL_NS}, AT(self.waiting)}, WAITS},
    {{{NULL, "RUNNING", PROF_CELL_NS}, AT(total.running)}, CPU},
    {{{NULL, "WAITING", PROF_CELL_NS}, AT(total.waiting)}, CPU},
    {{{NULL, "PREEMPTED", PROF_CELL_NS}, AT(total.preempted)}, CPU},
    {{{NULL, "GPU", PROF_CELL_NS}, AT(gpu_total_ns)}, GPU},
    {{{NULL, "GPU SELF", PROF_CELL_NS}, AT(gpu_self_ns)}, GPU},
    {{{NULL, "CALLS", PROF_CELL_COUNT}, AT(calls)}, ALWAYS},
};
#define TABLE_FIELD_COUNT (sizeof table_fields / sizeof *table_fields)

static const struct prof_tree_field data_fields[] = {
    {{{"calls", NULL, PROF_CELL_COUNT}, AT(calls)}, ALWAYS},
    {{{"total_ns", NULL, PROF_CELL_NS}, AT(total.elapsed)}, ALWAYS},
    {{{"self_ns", NULL, PROF_CELL_NS}, AT(self.elapsed)}, ALWAYS},
    {{{"total_share", NULL, PROF_CELL_SHARE}, AT(share)}, ALWAYS}, /* not in JSON */
    {{{"running_ns", NULL, PROF_CELL_NS}, AT(total.running)}, CPU},
    {{{"waiting_ns", NULL, PROF_CELL_NS}, AT(total.waiting)}, CPU},
    {{{"blocked_ns", NULL, PROF_CELL_NS}, AT(total.waiting)}, CPU}, /* older name, kept for scripts */
    {{{"preempted_ns", NULL, PROF_CELL_NS}, AT(total.preempted)}, CPU},
    {{{"self_running_ns", NULL, PROF_CELL_NS}, AT(self.running)}, CPU},
    {{{"self_waiting_ns", NULL, PROF_CELL_NS}, AT(self.waiting)}, CPU},
    {{{"self_blocked_ns", NULL, PROF_CELL_NS}, AT(self.waiting)}, CPU},
    {{{"self_preempted_ns", NULL, PROF_CELL_NS}, AT(self.preempted)}, CPU},
    {{{"gpu_total_ns", NULL, PROF_CELL_NS}, AT(gpu_total_ns)}, GPU},
    {{{"gpu_self_ns", NULL, PROF_CELL_NS}, AT(gpu_self_ns)}, GPU},
    {{{"estimated", NULL, PROF_CELL_FLAG}, AT(estimated)}, BURSTS},
    {{{"calls_low", NULL, PROF_CELL_COUNT}, AT(calls_low)}, BURSTS},
    {{{"calls_high", NULL, PROF_CELL_COUNT}, AT(calls_high), offsetof(struct prof_tree_node, has_calls_high)}, BURSTS},
    {{{"self_low_ns", NULL, PROF_CELL_NS}, AT(self_low_ns)}, BURSTS},
    {{{"self_high_ns", NULL, PROF_CELL_NS}, AT(self_high_ns)}, BURSTS},
};
#define DATA_FIELD_COUNT (sizeof data_fields / sizeof *data_fields)

_Static_assert(TABLE_FIELD_COUNT < PROF_TREE_MOST_FIELDS && DATA_FIELD_COUNT + 2 <= PROF_TREE_MOST_FIELDS, "and names");

const struct prof_tree_field *prof_tree_field_at(const struct prof_tree_shape *shape, size_t at) {
  if (shape->table)
    return at < TABLE_FIELD_COUNT ? &table_fields[at] : NULL;
  return at < DATA_FIELD_COUNT ? &data_fields[at] : NULL;
}

const struct prof_field *prof_tree_field_of(const struct prof_tree_field *field) {
  return &field->of;
}

bool prof_tree_field_is_wanted(const struct prof_tree_field *field, const struct prof_tree_shape *shape) {
  return field->need == ALWAYS || (field->need == GPU && shape->has_gpu) ||
         (field->need == BURSTS && shape->has_budget) ||
         (field->need == WAITS && shape->has_cpu && shape->time != PROF_TIME_WAITING) ||
         (field->need == CPU && shape->has_cpu && (shape->cpu || !shape->table));
}

static bool is_estimated(const struct prof_tree_field *field, const struct prof_tree_node *node) {
  size_t offset = field->of.member.offset;
  return (offset == offsetof(struct prof_tree_node, calls) && node->calls_estimated) ||
         (offset == offsetof(struct prof_tree_node, self_ns) && node->self_estimated) ||
         (offset == offsetof(struct prof_tree_node, total.elapsed) && node->total_estimated) ||
         (offset == offsetof(struct prof_tree_node, total.running) && node->total_estimated);
}

/* As in report_fields.c. */
static bool has_estimated_waits(const struct prof_tree_field *field, const struct prof_tree_node *node) {
  size_t offset = field->of.member.offset;
  if (offset == offsetof(struct prof_tree_node, self_ns) || offset == offsetof(struct prof_tree_node, self.running) ||
      offset == offsetof(struct prof_tree_node, self.waiting) ||
      offset == offsetof(struct prof_tree_node, self.preempted))
    return node->self.waiting + node->self.preempted > 0;
  if (offset == offsetof(struct prof_tree_node, total.running) ||
      offset == offsetof(struct prof_tree_node, total.waiting) ||
      offset == offsetof(struct prof_tree_node, total.preempted))
    return node->total.waiting + node->total.preempted > 0;
  return false;
}

static void add_cell(struct prof_table *table, const struct prof_tree_field *field, const struct prof_tree_shape *shape,
                     const struct prof_tree_node *node) {
  bool none = field->of.member.offset == offsetof(struct prof_tree_node, calls) && node->calls_estimated &&
              !node->has_calls_high && shape->table;
  if (none)
    prof_table_unknown(table);
  else
    prof_field_cell(table, &field->of, node);
  if (is_estimated(field, node) || (shape->waits_estimated && has_estimated_waits(field, node)))
    prof_table_estimated(table);
}

void prof_tree_cells(struct prof_table *table, const struct prof_tree_shape *shape, const struct prof_tree_node *node,
                     uint32_t path) {
  const struct prof_tree_field *field;
  for (size_t i = 0; (field = prof_tree_field_at(shape, i)); i++)
    if (prof_tree_field_is_wanted(field, shape))
      add_cell(table, field, shape, node);
  if (shape->counters)
    prof_counter_cells(shape->counters, table, shape->table, path);
}

size_t prof_tree_columns(struct prof_column columns[PROF_TREE_MOST_FIELDS], const struct prof_tree_shape *shape) {
  static const char *const shares[PROF_TIME_KINDS] = {"RUN%", "WAIT%", "TOTAL%"};
  const struct prof_tree_field *field;
  size_t used = 0;
  for (size_t i = 0; (field = prof_tree_field_at(shape, i)); i++)
    if (prof_tree_field_is_wanted(field, shape)) {
      columns[used] = field->of.column;
      if (columns[used].title && columns[used].kind == PROF_CELL_SHARE)
        columns[used].title = shares[shape->time];
      used++;
    }
  return shape->counters ? prof_counter_columns_add(shape->counters, shape->table, columns, used) : used;
}
