/*
 * tools/viewer/view_values.c - see view_values.h.
 */
#include "viewer/view_values.h"

#include "viewer/columns.h"

#define AT(member) offsetof(struct prof_call_values, member)
static const struct prof_column_row columns[] = {
    {"thread", PROF_COLUMN_U32, AT(thread), PROF_COLUMN_ALWAYS},
    {"depth", PROF_COLUMN_U32, AT(depth), PROF_COLUMN_ALWAYS},
    {"begin_ns", PROF_COLUMN_U64, AT(begin_ns), PROF_COLUMN_ALWAYS},
    {"arguments", PROF_COLUMN_TEXT, AT(arguments), PROF_COLUMN_ALWAYS},
    {"returned", PROF_COLUMN_TEXT, AT(returned), PROF_COLUMN_ALWAYS},
    {"lines_all", PROF_COLUMN_U64, AT(lines_all), PROF_COLUMN_ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

void prof_view_values_write(const prof_trace *trace, const struct prof_call_values_list *list, size_t most,
                            struct prof_json *json) {
  const size_t count = list->items.count < most ? list->items.count : most;
  prof_json_bool(json, "any", prof_call_values_any(trace));
  prof_json_count(json, "all", list->all);
  prof_columns_write(json, columns, list->items.items, count, sizeof *list->items.items);
  prof_json_array(json, "lines");
  for (size_t i = 0; i < count; i++)
    prof_json_count(json, NULL, list->items.items[i].lines.count);
  prof_json_array_end(json);
  prof_json_array(json, "texts");
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < list->items.items[i].lines.count; j++)
      prof_json_text(json, NULL, list->items.items[i].lines.items[j]);
  prof_json_array_end(json);
}
