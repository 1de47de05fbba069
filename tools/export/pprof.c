/*
 * tools/export/pprof.c - the profile format of pprof (profile.proto), gzipped, for `go tool pprof` and other viewers.
 *
 * A sample per call path and thread: its calls, and its self time by kind.  Labels: process and thread.  With leaves a
 * sample's innermost location is a line with its chain of inlined calls.  Locations, functions and texts are written
 * last: memory grows with functions and lines.  Source: profile.proto (https://github.com/google/pprof).
 */
#include <string.h>

#include "base/diag.h"
#include "base/proto.h"
#include "call_path.h"
#include "command_text.h"
#include "exporters.h"
#include "gzip_file.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "text_table.h"
#include "ticks_out.h"

/* Fields of the messages. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_TEXT };
enum { PROFILE_BEGIN_NS = 9, PROFILE_LENGTH_NS, PROFILE_COMMENT = 13, PROFILE_DEFAULT_TYPE };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_LAST = 10 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_LINKAGE, FUNCTION_FILE, FUNCTION_LINE };

struct function { /* texts by number */
  uint32_t name, linkage, file, line;
};
struct location {
  uint32_t frame, leaf; /* a frame's number; PROF_NONE: no leaf */
};

struct writer {
  const struct prof_export_source *source;
  struct prof_gzip_file *out;
  struct prof_text_table texts, modules;
  PROF_VEC(struct function) functions;
  PROF_VEC(struct location) locations;
  struct prof_index_map function_map, location_map;
  struct prof_proto message, inner, part; /* reused */
  uint32_t unknown;                       /* number of functions that aren't known */
  bool by_parts;                          /* running, waiting and preempted time; else one kind */
  bool failed;                            /* no memory */
};

static uint32_t text_of(struct writer *writer, const char *text) {
  uint32_t number = prof_text_table_plain(&writer->texts, text);
  writer->failed |= number == UINT32_MAX;
  return number;
}

/* Adds a message of the profile to the file. */
static void put(struct writer *writer, uint32_t field, const struct prof_proto *message) {
  prof_proto_clear(&writer->message);
  prof_proto_message(&writer->message, field, message);
  writer->failed |= writer->message.failed;
  if (!writer->failed)
    prof_gzip_file_write(writer->out, writer->message.bytes.items, writer->message.bytes.count);
}

static void put_number(struct writer *writer, uint32_t field, uint64_t number) {
  prof_proto_clear(&writer->message);
  prof_proto_number(&writer->message, field, number);
  writer->failed |= writer->message.failed;
  if (!writer->failed)
    prof_gzip_file_write(writer->out, writer->message.bytes.items, writer->message.bytes.count);
}

/* ---- functions and locations ---- */

/* Its id; 0: no memory. */
static uint32_t function_id(struct writer *writer, const char *name, const char *linkage, const char *file,
                            uint32_t line) {
  const struct function new = {text_of(writer, name), text_of(writer, linkage), text_of(writer, file), line};
  const uint32_t hash = prof_index_hash((uint64_t) new.name << 32 | new.linkage, (uint64_t) new.file << 32 | line);
  uint32_t at = prof_index_meet(&writer->function_map, &writer->functions, hash, i,
                                memcmp(&writer->functions.items[i], &new, sizeof new) == 0, new);
  writer->failed |= at == UINT32_MAX;
  return at + 1;
}

static uint32_t function_of_frame(struct writer *writer, uint32_t frame) {
  struct prof_names *names = writer->source->names;
  size_t count;
  const struct prof_function *functions = prof_trace_functions(writer->source->trace, &count);
  const char *name = prof_names_function(names, frame);
  return function_id(writer, name, frame < count ? functions[frame].name : name, prof_names_file(names, frame),
                     prof_names_line(names, frame));
}

/* Its id; 0: no memory. */
static uint64_t location_id(struct writer *writer, uint32_t frame, uint32_t leaf) {
  const struct location new = {frame, leaf};
  uint32_t at =
      prof_index_meet(&writer->location_map, &writer->locations, prof_index_hash(frame, leaf), i,
                      writer->locations.items[i].frame == frame && writer->locations.items[i].leaf == leaf, new);
  writer->failed |= at == UINT32_MAX;
  return (uint64_t)at + 1;
}

static const struct prof_line_leaf_chain *chain_of(const struct writer *writer, uint32_t leaf) {
  const struct prof_line_leaves *leaves = writer->source->leaves;
  return leaves && leaf != PROF_NONE ? &leaves->chains[leaf - leaves->first] : NULL;
}

/* Is the leaf's code part of the frame's function?  Then both are one location. */
static bool is_within(const struct writer *writer, uint32_t leaf, uint32_t frame) {
  const struct prof_line_leaf_chain *chain = chain_of(writer, leaf);
  const char *outer = chain && chain->count ? chain->frames[chain->count - 1].function : NULL;
  return outer && !strcmp(outer, prof_names_function(writer->source->names, frame));
}

static void put_line(struct writer *writer, uint32_t function, uint32_t line) {
  prof_proto_clear(&writer->part);
  prof_proto_number(&writer->part, LINE_FUNCTION, function);
  prof_proto_number(&writer->part, LINE_NUMBER, line);
  prof_proto_message(&writer->inner, LOCATION_LINE, &writer->part);
}

static void put_chain(struct writer *writer, const struct location *location) {
  const struct prof_line_leaf_chain *chain = chain_of(writer, location->leaf);
  for (uint32_t i = 0; i < chain->count; i++) {
    const struct prof_line_frame *frame = &chain->frames[i];
    const char *name = frame->function ? frame->function : "[unknown]";
    bool own = i + 1 == chain->count && location->frame != PROF_NONE;
    put_line(writer,
             own ? function_of_frame(writer, location->frame)
                 : function_id(writer, name, name, frame->file ? frame->file : "", 0),
             frame->line);
  }
}

static void put_location(struct writer *writer, size_t index) {
  const struct location *location = &writer->locations.items[index];
  const struct prof_line_leaves *leaves = writer->source->leaves;
  struct prof_names *names = writer->source->names;
  const struct prof_line_leaf_chain *chain = chain_of(writer, location->leaf);
  const char *module = location->frame != PROF_NONE ? prof_names_module(names, location->frame) : "";
  prof_proto_clear(&writer->inner);
  prof_proto_number(&writer->inner, LOCATION_ID, index + 1);
  if (module[0])
    prof_proto_number(&writer->inner, LOCATION_MAPPING, (uint64_t)prof_text_table_plain(&writer->modules, module) + 1);
  if (chain && chain->count) {
    put_chain(writer, location);
  } else if (chain) { /* of a library, the kernel or a wait */
    const char *name = leaves->names[location->leaf - leaves->first];
    put_line(writer, function_id(writer, name, name, "", 0), 0);
  } else {
    put_line(writer, function_of_frame(writer, location->frame), prof_names_line(names, location->frame));
  }
  writer->failed |= writer->inner.failed;
  put(writer, PROFILE_LOCATION, &writer->inner);
}

static void put_function(struct writer *writer, size_t index) {
  const struct function *function = &writer->functions.items[index];
  prof_proto_clear(&writer->inner);
  prof_proto_number(&writer->inner, FUNCTION_ID, index + 1);
  prof_proto_number(&writer->inner, FUNCTION_NAME, function->name);
  prof_proto_number(&writer->inner, FUNCTION_LINKAGE, function->linkage);
  prof_proto_number(&writer->inner, FUNCTION_FILE, function->file);
  prof_proto_number(&writer->inner, FUNCTION_LINE, function->line);
  put(writer, PROFILE_FUNCTION, &writer->inner);
}

static void put_mapping(struct writer *writer, size_t index) {
  prof_proto_clear(&writer->inner);
  prof_proto_number(&writer->inner, MAPPING_ID, index + 1);
  prof_proto_number(&writer->inner, MAPPING_FILE, text_of(writer, writer->modules.texts.items[index]));
  for (uint32_t field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_LAST;
       field++) /* readers have not to look for any */
    prof_proto_number(&writer->inner, field, 1);
  put(writer, PROFILE_MAPPING, &writer->inner);
}

/* ---- samples ---- */

static void put_type(struct writer *writer, const char *name, const char *unit) {
  prof_proto_clear(&writer->inner);
  prof_proto_number(&writer->inner, TYPE_NAME, text_of(writer, name));
  prof_proto_number(&writer->inner, TYPE_UNIT, text_of(writer, unit));
  put(writer, PROFILE_SAMPLE_TYPE, &writer->inner);
}

static void put_types(struct writer *writer) {
  static const char *const kinds[PROF_TIME_KINDS] = {"running", "waiting", "elapsed"};
  const char *shown = kinds[writer->source->time];
  (void)text_of(writer, ""); /* text 0 */
  put_type(writer, "calls", "count");
  put_type(writer, writer->by_parts ? "running" : shown, "nanoseconds");
  if (writer->by_parts) {
    put_type(writer, "waiting", "nanoseconds");
    put_type(writer, "preempted", "nanoseconds");
    put_type(writer, "elapsed", "nanoseconds");
  }
  put_number(writer, PROFILE_DEFAULT_TYPE, text_of(writer, shown));
}

static void add_label(struct writer *writer, struct prof_proto *sample, const char *key, const char *text,
                      uint64_t number) {
  prof_proto_clear(&writer->part);
  prof_proto_number(&writer->part, LABEL_KEY, text_of(writer, key));
  if (text)
    prof_proto_number(&writer->part, LABEL_TEXT, text_of(writer, text));
  else
    prof_proto_number(&writer->part, LABEL_NUMBER, number);
  prof_proto_message(sample, SAMPLE_LABEL, &writer->part);
}

/* The labels of a thread's samples. */
static void make_labels(struct writer *writer, uint32_t thread, struct prof_proto *labels) {
  const prof_trace *trace = writer->source->trace;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  add_label(writer, labels, "process", prof_process_name(trace, info->process), 0);
  add_label(writer, labels, "pid", NULL, prof_trace_processes(trace, NULL)[info->process].pid);
  add_label(writer, labels, "thread", prof_thread_name(trace, thread), 0);
  add_label(writer, labels, "tid", NULL, info->tid);
}

/* Innermost first.  A leaf within its function is one location with it. */
static void add_locations(struct writer *writer, const struct prof_call_path *path, struct prof_proto *sample) {
  size_t at = path->count;
  prof_proto_clear(&writer->part);
  if (path->leaf) {
    uint32_t leaf = path->functions[--at];
    if (path->leaf_depth == 2) { /* a library's function under a line */
      prof_proto_varint(&writer->part, location_id(writer, PROF_NONE, leaf));
      leaf = path->functions[--at];
    }
    const uint32_t frame = path->functions[at - 1];
    bool within = is_within(writer, leaf, frame);
    prof_proto_varint(&writer->part, location_id(writer, within ? frame : PROF_NONE, leaf));
    at -= within;
  }
  while (at > 0) {
    uint32_t number = path->functions[--at];
    prof_proto_varint(&writer->part, location_id(writer, number == PROF_NONE ? writer->unknown : number, PROF_NONE));
  }
  prof_proto_message(sample, SAMPLE_LOCATION, &writer->part);
}

/* Calls, and self time: the values of the types.  false: all are 0. */
static bool make_values(struct writer *writer, const struct prof_call_path *path, struct prof_parts_out *out) {
  static const struct prof_off_ticks none = {0};
  const struct prof_node *node = &path->profile->nodes[path->node];
  const uint64_t calls = path->leaf ? 0 : node->calls;
  struct prof_off_ticks off = none;
  uint64_t ticks = prof_call_path_self_ticks(path);
  if (writer->by_parts) { /* at the depth limit the time of all that is below, as the ticks */
    const bool cut = ticks != node->self_ticks;
    off = cut ? node->off : node->self_off;
  }
  const struct prof_time_ns time = prof_parts_out_ns(out, ticks, &off);
  prof_proto_clear(&writer->part);
  prof_proto_varint(&writer->part, calls);
  prof_proto_varint(&writer->part, writer->by_parts ? time.running : time.elapsed);
  if (writer->by_parts) {
    prof_proto_varint(&writer->part, time.waiting);
    prof_proto_varint(&writer->part, time.preempted);
    prof_proto_varint(&writer->part, time.elapsed);
  }
  return calls || time.elapsed || time.running || time.waiting || time.preempted;
}

static void write_thread(struct writer *writer, uint32_t thread_node, struct prof_call_path *path) {
  const struct prof_node *nodes = writer->source->profile->nodes;
  struct prof_parts_out out = {.trace = writer->source->trace};
  struct prof_proto labels = {0};
  make_labels(writer, nodes[thread_node].thread, &labels);
  for (bool more = prof_call_path_begin(path, thread_node); more && !writer->failed; more = prof_call_path_next(path)) {
    if (!make_values(writer, path, &out))
      continue;
    prof_proto_clear(&writer->inner);
    prof_proto_message(&writer->inner, SAMPLE_VALUE, &writer->part);
    add_locations(writer, path, &writer->inner);
    if (!prof_vec_reserve(&writer->inner.bytes, labels.bytes.count))
      writer->failed = true;
    else if (labels.bytes.count)
      memcpy(writer->inner.bytes.items + writer->inner.bytes.count, labels.bytes.items, labels.bytes.count);
    writer->inner.bytes.count += writer->failed ? 0 : labels.bytes.count;
    put(writer, PROFILE_SAMPLE, &writer->inner);
  }
  writer->failed |= path->failed || labels.failed;
  prof_proto_fini(&labels);
}

/* ---- the file ---- */

static void write_head(struct writer *writer) {
  const prof_trace *trace = writer->source->trace;
  char command[PROF_COMMAND_TEXT_BYTES];
  prof_command_text(command, trace);
  put_types(writer);
  put_number(writer, PROFILE_BEGIN_NS, prof_trace_info(trace)->start_realtime_ns);
  put_number(writer, PROFILE_LENGTH_NS, prof_trace_ns(trace, writer->source->profile->coverage.span_ticks));
  put_number(writer, PROFILE_COMMENT, text_of(writer, command));
}

static void write_tables(struct writer *writer) {
  for (size_t i = 0; i < writer->locations.count && !writer->failed; i++)
    put_location(writer, i);
  for (size_t i = 0; i < writer->modules.texts.count && !writer->failed; i++)
    put_mapping(writer, i);
  for (size_t i = 0; i < writer->functions.count && !writer->failed; i++)
    put_function(writer, i);
  for (size_t i = 0; i < writer->texts.texts.count && !writer->failed; i++) {
    prof_proto_clear(&writer->message);
    prof_proto_text(&writer->message, PROFILE_TEXT, writer->texts.texts.items[i]);
    writer->failed |= writer->message.failed;
    if (!writer->failed)
      prof_gzip_file_write(writer->out, writer->message.bytes.items, writer->message.bytes.count);
  }
}

static void fini(struct writer *writer) {
  prof_gzip_file_end(writer->out);
  prof_text_table_fini(&writer->texts);
  prof_text_table_fini(&writer->modules);
  prof_vec_fini(&writer->functions);
  prof_vec_fini(&writer->locations);
  prof_index_fini(&writer->function_map);
  prof_index_fini(&writer->location_map);
  prof_proto_fini(&writer->message);
  prof_proto_fini(&writer->inner);
  prof_proto_fini(&writer->part);
}

static prof_status write_pprof(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.source = source, .out = prof_gzip_file_new(file)};
  const struct prof_node *nodes = source->profile->nodes;
  struct prof_call_path path = {.profile = source->profile,
                                .time = source->leaves ? source->time : PROF_TIME_ELAPSED,
                                .leaves = source->leaves,
                                .limit = PROF_CALL_PATH_LIMIT};
  writer.by_parts = source->profile->coverage.has_switches && !source->leaves;
  size_t functions;
  prof_trace_functions(source->trace, &functions);
  writer.unknown = (uint32_t)functions;
  writer.failed = !writer.out;
  if (!writer.failed)
    write_head(&writer);
  for (uint32_t node = nodes[0].first_child; node != PROF_NONE && !writer.failed && !ferror(file);
       node = nodes[node].next_sibling)
    write_thread(&writer, node, &path);
  if (!writer.failed)
    write_tables(&writer);
  *source->too_deep = path.too_deep;
  prof_call_path_fini(&path);
  fini(&writer);
  return writer.failed ? prof_diag_memory(diag) : PROF_OK;
}

const struct prof_exporter prof_exporter_pprof = {
    .name = "pprof",
    .summary = "call paths with calls, times and labels, for go tool pprof",
    .has_lines = true,
    .has_chains = true,
    .has_paths = true,
    .write = write_pprof,
};
