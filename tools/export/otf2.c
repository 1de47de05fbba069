/*
 * tools/export/otf2.c - an OTF2 archive (a folder) with every call, for Vampir, Scalasca, Cube and otf2-print.
 *
 * A process is a location group, a thread a location, a function a region.  Written by the library libotf2; memory
 * grows with functions and threads.  Times are nanoseconds since the start of the recording.  A stall is a region
 * inside the call that waited.  Built without the library, the format says what is missing.
 */
#include "exporters.h"

#ifdef PROF_HAS_OTF2
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/vec.h"
#include "command_text.h"
#include "fold/walk.h"
#include "names/loop_frames.h"
#include "names/process_names.h"
#include "text_table.h"

#define NS_PER_SECOND 1000000000u
#define ARCHIVE_NAME "traces" /* as Score-P names it */

struct writer {
  const struct prof_export_source *source;
  OTF2_Archive *archive;
  OTF2_EvtWriter *events; /* of `thread`; NULL: none yet */
  OTF2_GlobalDefWriter *definitions;
  struct prof_text_table texts;
  uint64_t *counts;           /* events by thread */
  uint32_t *region_of;        /* by number: region + 1; 0: none yet */
  PROF_VEC(uint32_t) regions; /* numbers of functions and loops, and `wait` */
  uint32_t unknown;           /* number of functions that aren't known */
  uint32_t wait;              /* region of a stall */
  uint32_t thread;
  uint64_t last_ns;
  bool no_memory;
  OTF2_ErrorCode failure; /* the first */
};

static void note(struct writer *writer, OTF2_ErrorCode code) {
  if (writer->failure == OTF2_SUCCESS)
    writer->failure = code;
}

/* The library would print errors. */
static OTF2_ErrorCode quiet(void *context, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                            const char *format, va_list arguments) {
  (void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
  return code;
}

static OTF2_FlushType before_flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final) {
  (void)context, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

/* ---- events ---- */

static void close_events(struct writer *writer) {
  if (writer->events)
    note(writer, OTF2_Archive_CloseEvtWriter(writer->archive, writer->events));
  writer->events = NULL;
}

static uint64_t moment_of(struct writer *writer, uint64_t time_ns) {
  writer->last_ns = time_ns > writer->last_ns ? time_ns : writer->last_ns;
  writer->counts[writer->thread]++;
  return writer->last_ns;
}

/* Regions are numbered in the order of their first calls: readers want numbers without holes. */
static uint32_t region_of(struct writer *writer, uint32_t number) {
  if (writer->region_of[number] == 0) {
    writer->no_memory |= !prof_vec_push(&writer->regions, number);
    writer->region_of[number] = (uint32_t)writer->regions.count;
  }
  return writer->region_of[number] - 1;
}

static void enter(struct writer *writer, uint64_t time_ns, uint32_t number) {
  note(writer, OTF2_EvtWriter_Enter(writer->events, NULL, moment_of(writer, time_ns), region_of(writer, number)));
}

static void leave(struct writer *writer, uint64_t time_ns, uint32_t number) {
  note(writer, OTF2_EvtWriter_Leave(writer->events, NULL, moment_of(writer, time_ns), region_of(writer, number)));
}

static bool write_event(void *context, const struct prof_walk_event *event) {
  struct writer *writer = context;
  const bool goes_on = prof_export_count(writer->source);
  const uint32_t number = event->function == PROF_NONE ? writer->unknown : event->function;
  if (!writer->events || writer->thread != event->thread) {
    close_events(writer);
    writer->thread = event->thread;
    writer->last_ns = 0;
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, event->thread);
    if (!writer->events) {
      note(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
      return false;
    }
  }
  if (event->kind == PROF_WALK_ENTER) {
    enter(writer, event->time_ns, number);
  } else if (event->kind == PROF_WALK_LEAVE) {
    leave(writer, event->time_ns, number);
  } else if (event->kind == PROF_WALK_WAIT) {
    enter(writer, event->time_ns, writer->wait);
    leave(writer, event->time_ns + event->duration_ns, writer->wait);
  }
  return writer->failure == OTF2_SUCCESS && !writer->no_memory && goes_on;
}

/* A location without events has a file, too: readers open all of them. */
static void make_empty(struct writer *writer) {
  size_t thread_count;
  prof_trace_threads(writer->source->trace, &thread_count);
  for (size_t i = 0; i < thread_count; i++) {
    OTF2_EvtWriter *empty = writer->counts[i] ? NULL : OTF2_Archive_GetEvtWriter(writer->archive, i);
    if (empty)
      note(writer, OTF2_Archive_CloseEvtWriter(writer->archive, empty));
  }
}

/* ---- definitions ---- */

/* Numbers of texts are the archive's, too. */
static uint32_t text_of(struct writer *writer, const char *text) {
  const size_t known = writer->texts.texts.count;
  uint32_t number = prof_text_table_plain(&writer->texts, text);
  if (number == UINT32_MAX)
    writer->no_memory = true;
  else if (number >= known)
    note(writer, OTF2_GlobalDefWriter_WriteString(writer->definitions, number, writer->texts.texts.items[number]));
  return number;
}

static void write_region(struct writer *writer, uint32_t region) {
  const uint32_t number = writer->regions.items[region];
  size_t count;
  const struct prof_function *functions = prof_trace_functions(writer->source->trace, &count);
  struct prof_names *names = writer->source->names;
  const bool wait = number == writer->wait, loop = prof_frame_loop(writer->source->trace, number) != PROF_NONE;
  const uint32_t name = text_of(writer, wait ? PROF_EXPORT_WAIT : prof_names_function(names, number));
  const uint32_t linkage = number < count ? text_of(writer, functions[number].name) : name;
  const uint32_t file = text_of(writer, wait ? "" : prof_names_file(names, number));
  const uint32_t line = wait ? 0 : prof_names_line(names, number);
  note(writer, OTF2_GlobalDefWriter_WriteRegion(writer->definitions, region, name, linkage, text_of(writer, ""),
                                                loop   ? OTF2_REGION_ROLE_LOOP
                                                : wait ? OTF2_REGION_ROLE_ARTIFICIAL
                                                       : OTF2_REGION_ROLE_FUNCTION,
                                                wait ? OTF2_PARADIGM_MEASUREMENT_SYSTEM : OTF2_PARADIGM_COMPILER,
                                                OTF2_REGION_FLAG_NONE, file, line, 0));
}

static void write_places(struct writer *writer) {
  size_t process_count, thread_count;
  const prof_trace *trace = writer->source->trace;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const char *host = prof_trace_setting(trace, "host", NULL);
  prof_trace_processes(trace, &process_count);
  note(writer, OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, 0, text_of(writer, host ? host : "host"),
                                                        text_of(writer, "node"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (uint32_t i = 0; i < process_count; i++) {
    char name[400];
    snprintf(name, sizeof name, "%.300s [%u]", prof_process_name(trace, i), prof_trace_processes(trace, NULL)[i].pid);
    note(writer,
         OTF2_GlobalDefWriter_WriteLocationGroup(writer->definitions, i, text_of(writer, name),
                                                 OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
  }
  for (uint32_t i = 0; i < thread_count; i++) {
    char name[400];
    snprintf(name, sizeof name, "%.300s (%u)", prof_thread_name(trace, i), threads[i].tid);
    note(writer,
         OTF2_GlobalDefWriter_WriteLocation(writer->definitions, i, text_of(writer, name),
                                            OTF2_LOCATION_TYPE_CPU_THREAD, writer->counts[i], threads[i].process));
  }
}

static void write_definitions(struct writer *writer) {
  const prof_trace *trace = writer->source->trace;
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t length =
      info->last_ticks > info->start_ticks ? prof_trace_ns(trace, info->last_ticks - info->start_ticks) : 0;
  writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
  if (!writer->definitions) {
    note(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
    return;
  }
  note(writer, OTF2_GlobalDefWriter_WriteClockProperties(writer->definitions, NS_PER_SECOND, 0, length + 1,
                                                         info->start_realtime_ns));
  write_places(writer);
  for (uint32_t i = 0; i < writer->regions.count; i++)
    write_region(writer, i);
}

/* Each location has a file of definitions of its own, which stays empty. */
static void write_local(struct writer *writer) {
  size_t thread_count;
  prof_trace_threads(writer->source->trace, &thread_count);
  note(writer, OTF2_Archive_OpenDefFiles(writer->archive));
  for (size_t i = 0; i < thread_count; i++) {
    OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, i);
    if (local)
      note(writer, OTF2_Archive_CloseDefWriter(writer->archive, local));
  }
  note(writer, OTF2_Archive_CloseDefFiles(writer->archive));
}

/* ---- the archive ---- */

static prof_status write_archive(struct writer *writer, struct prof_diag *diag) {
  static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = before_flush};
  char command[PROF_COMMAND_TEXT_BYTES], plain[PROF_COMMAND_TEXT_BYTES];
  note(writer, OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
  note(writer, OTF2_Archive_SetFlushCallbacks(writer->archive, &flushes, NULL));
  note(writer, OTF2_Archive_SetCreator(writer->archive, "prof"));
  prof_command_text(command, writer->source->trace);
  prof_text_escape(plain, sizeof plain, command, strlen(command));
  note(writer, OTF2_Archive_SetDescription(writer->archive, plain));
  note(writer, OTF2_Archive_OpenEvtFiles(writer->archive));
  prof_status status = PROF_OK;
  if (writer->failure == OTF2_SUCCESS)
    status = prof_walk(writer->source->trace, writer->source->filter, PROF_WALK_BY_THREAD, write_event, writer, diag);
  close_events(writer);
  make_empty(writer);
  note(writer, OTF2_Archive_CloseEvtFiles(writer->archive));
  if (status == PROF_OK && writer->failure == OTF2_SUCCESS) {
    write_local(writer);
    write_definitions(writer);
  }
  return status;
}

static prof_status write_otf2(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  struct writer writer = {.source = source};
  size_t thread_count, functions;
  (void)file; /* none: the library makes the folder */
  prof_trace_threads(source->trace, &thread_count);
  prof_trace_functions(source->trace, &functions);
  writer.unknown = (uint32_t)functions;
  writer.wait = prof_frame_count(source->trace);
  writer.counts = calloc(thread_count + 1, sizeof *writer.counts);
  writer.region_of = calloc((size_t)writer.wait + 1, sizeof *writer.region_of);
  writer.no_memory = !writer.counts || !writer.region_of;
  prof_status status = PROF_OK;
  OTF2_Error_RegisterCallback(quiet, NULL);
  if (!writer.no_memory) {
    writer.archive =
        OTF2_Archive_Open(source->path, ARCHIVE_NAME, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                          OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (writer.archive) {
      status = write_archive(&writer, diag);
      note(&writer, OTF2_Archive_Close(writer.archive));
    } else {
      note(&writer, OTF2_ERROR_FILE_CAN_NOT_OPEN);
    }
  }
  free(writer.counts);
  free(writer.region_of);
  prof_vec_fini(&writer.regions);
  prof_text_table_fini(&writer.texts);
  if (writer.no_memory)
    return prof_diag_memory(diag);
  if (writer.failure != OTF2_SUCCESS)
    return prof_diag_fill(diag, PROF_IO, source->path, PROF_NO_OFFSET, "choose another place with -o FOLDER",
                          "can't write the archive: %s", OTF2_Error_GetDescription(writer.failure));
  return status;
}
#endif

const struct prof_exporter prof_exporter_otf2 = {
    .name = "otf2",
    .summary = "a folder with every call in time, for Vampir, Scalasca and otf2-print",
    .has_timeline = true,
    .only_timeline = true,
    .needs_file = true,
    .needs_folder = true,
#ifdef PROF_HAS_OTF2
    .write = write_otf2,
#else
    .missing = "libotf2-trace-dev",
#endif
};
