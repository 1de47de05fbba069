/*
 * tools/command/page/answers.c - see answers.h.
 *
 * An answer takes the latest reading of the recording, works out what needs no lock, then numbers frames behind the
 * reading's lock.
 */
#include "command/page/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/cover_lines.h"
#include "command/page/generation.h"
#include "command/page/range.h"
#include "viewer/html_page.h"
#include "viewer/view_answers.h"

struct asked { /* one request */
  struct prof_generations *all;
  struct prof_generation *generation;
  const struct prof_http_request *request;
  struct prof_view_known known;
  struct prof_http_answer *answer;
};

static const struct {
  prof_status status;
  unsigned http;
} http_statuses[] = {
    {PROF_NO_MEMORY, 503}, {PROF_NOT_FOUND, 404}, {PROF_IO, 404}, {PROF_USAGE, 400}, {PROF_STOPPED, 503}};

static void fail(struct prof_http_answer *answer, const struct prof_diag *diag) {
  char text[sizeof diag->what + sizeof diag->file + sizeof diag->remedy + 16];
  unsigned http = 500;
  for (size_t i = 0; i < sizeof http_statuses / sizeof *http_statuses; i++)
    if (http_statuses[i].status == diag->status)
      http = http_statuses[i].http;
  snprintf(text, sizeof text, "%s%s%s%s%s%s", diag->what, diag->file[0] ? " (" : "", diag->file,
           diag->file[0] ? ")" : "", diag->remedy[0] ? ": " : "", diag->remedy);
  prof_http_say(answer, http, text);
}

static void give(struct asked *asked, prof_status status, const struct prof_diag *diag, struct prof_view_data *data) {
  if (status == PROF_OK)
    *asked->answer = (struct prof_http_answer){200, PROF_HTTP_DATA, data->bytes, data->count};
  else
    fail(asked->answer, diag);
}

static bool take_reading(struct asked *asked) {
  asked->generation = prof_generation_take(asked->all);
  if (!asked->generation)
    prof_http_say(asked->answer, 503, "the recording could not be read: see the messages of prof view");
  return asked->generation != NULL;
}

/* false: it is answered already, as the page has another reading, or this one has no calls. */
static bool begin(struct asked *asked, void *context, const struct prof_http_request *request,
                  struct prof_http_answer *answer) {
  uint64_t number;
  *asked = (struct asked){.all = context, .request = request, .answer = answer};
  if (!take_reading(asked))
    return false;
  bool has_number = prof_http_number(request, "g", &number),
       current = has_number && number == asked->generation->number;
  const struct prof_view_frames *frames = &asked->generation->frames;
  if (!has_number)
    prof_http_say(answer, 400, "g is missing: the number of the reading, from progress");
  else if (!current)
    prof_http_say(answer, 409, "the recording was read again: ask for progress and data");
  else if (asked->generation->empty)
    prof_http_say(answer, 404, "the recording has no calls yet");
  if (!current || asked->generation->empty) {
    prof_generation_give(asked->all, asked->generation);
    return false;
  }
  pthread_mutex_lock(&asked->generation->naming);
  const struct {
    const char *key;
    uint64_t *number;
    size_t most;
  } known[] = {{"frames", &asked->known.frames, frames->numbers.count},
               {"files", &asked->known.files, frames->files.count},
               {"modules", &asked->known.modules, frames->modules.count}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!prof_http_number(request, known[i].key, known[i].number) || *known[i].number > known[i].most)
      *known[i].number = 0;
  pthread_mutex_unlock(&asked->generation->naming);
  return true;
}

static void end(struct asked *asked) {
  prof_generation_give(asked->all, asked->generation);
}

/* t0 and t1 of the query, ns; false: it is answered already. */
static bool take_times(struct asked *asked, uint64_t *begin_ns, uint64_t *end_ns) {
  if (prof_http_number(asked->request, "t0", begin_ns) && prof_http_number(asked->request, "t1", end_ns) &&
      *begin_ns < *end_ns)
    return true;
  prof_http_say(asked->answer, 400, "t0 and t1: nanoseconds since the start of the recording, t0 before t1");
  return false;
}

/* ---- paths ---- */

static void answer_page(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct prof_generations *all = context;
  char *bytes = NULL;
  size_t count = 0;
  FILE *file = open_memstream(&bytes, &count);
  if (file)
    prof_html_page_write(file, &(struct prof_html_page){.title = all->title, .nonce = prof_http_nonce(request)});
  bool failed = !file || ferror(file);
  if (file && fclose(file))
    failed = true;
  if (!failed) {
    *answer = (struct prof_http_answer){200, PROF_HTTP_PAGE, (uint8_t *)bytes, count};
    return;
  }
  free(bytes);
  prof_http_say(answer, 503, "out of memory");
}

static void put_progress(void *context, struct prof_json *json) {
  const struct prof_generation *generation = ((struct asked *)context)->generation;
  const struct prof_trace_info *info = prof_trace_info(generation->recording.reader.recording.trace);
  static const char *const stages[] = {"sketch", "timeline", "whole"};
  prof_json_count(json, "reading", generation->number);
  prof_json_text(json, "stage", stages[generation->stage]);
  prof_json_number(json, "done_share",
                   generation->stage < PROF_READING_WHOLE ? prof_page_recording_share(&generation->recording) : 1);
  prof_json_bool(json, "live", ((struct asked *)context)->all->live);
  prof_json_bool(json, "in_progress", info->in_progress);
  prof_json_count(json, "data_age_ns", prof_generation_age_ns(generation));
  prof_json_bool(json, "empty", generation->empty);
}

static void answer_progress(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked = {.all = context, .request = request, .answer = answer};
  struct prof_view_data data;
  struct prof_diag diag;
  prof_generations_refresh(asked.all);
  if (!take_reading(&asked))
    return;
  give(&asked, prof_view_progress_answer(put_progress, &asked, &diag, &data), &diag, &data);
  end(&asked);
}

static void answer_data(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  if (!begin(&asked, context, request, answer))
    return;
  const struct prof_view_data *overview = &asked.generation->overview;
  struct prof_diag diag;
  pthread_mutex_lock(&asked.generation->naming);
  struct prof_view_data copy = {malloc(overview->count), overview->count};
  prof_status status = copy.bytes ? PROF_OK : prof_diag_memory(&diag);
  if (copy.bytes)
    memcpy(copy.bytes, overview->bytes, copy.count);
  pthread_mutex_unlock(&asked.generation->naming);
  give(&asked, status, &diag, &copy);
  end(&asked);
}

static void answer_view(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_view_span span = {0};
  uint64_t columns = 0;
  if (!begin(&asked, context, request, answer))
    return;
  if (!prof_http_number(request, "px", &columns) || columns == 0 || columns > PROF_VIEW_SPAN_COLUMNS) {
    prof_http_say(answer, 400, "px: columns of the picture, from 1 to 16384");
  } else if (take_times(&asked, &span.begin, &span.end)) {
    struct prof_generation *generation = asked.generation;
    const struct prof_view_span_source source = prof_generation_timeline(generation);
    struct prof_lanes lanes;
    struct prof_view_data data;
    struct prof_diag diag;
    span.columns = (uint32_t)columns;
    prof_status status = prof_view_span_lanes(&source, &span, &diag, &lanes);
    pthread_mutex_lock(&generation->naming);
    if (status == PROF_OK) {
      prof_view_span_number(&lanes, &generation->frames);
      status = prof_view_span_answer(&lanes, &generation->frames, &asked.known, &diag, &data);
    }
    pthread_mutex_unlock(&generation->naming);
    prof_lanes_fini(&lanes);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

static void put_range_cover(void *context, struct prof_json *json) {
  const struct prof_page_range *range = context;
  prof_cover_json(&range->cover, json, "cover");
}

static bool is_gone(void *request) {
  return prof_http_is_gone(request);
}

static struct prof_symbols *symbols_of(const struct prof_generation *generation) {
  return generation->stage == PROF_READING_WHOLE ? generation->recording.symbols : NULL;
}

static void answer_range(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_page_range range;
  struct prof_view_data data;
  struct prof_diag diag;
  uint64_t begin_ns, end_ns;
  if (!begin(&asked, context, request, answer))
    return;
  if (take_times(&asked, &begin_ns, &end_ns)) {
    struct prof_generation *generation = asked.generation;
    const struct prof_stop stop = {is_gone, (void *)(uintptr_t)request};
    prof_status status =
        prof_page_range_read(&range, &generation->recording, begin_ns, end_ns, &generation->naming, &stop, &diag);
    const struct prof_view_range part = {.recording = &range.recording,
                                         .figures = range.figures,
                                         .tree = generation->recording.common->loops ? range.figures : range.paths,
                                         .paths = range.paths,
                                         .ranks = &range.ranks,
                                         .samples = range.samples,
                                         .slowest = &range.slowest,
                                         .symbols = symbols_of(generation),
                                         .raw = generation->recording.common->raw,
                                         .begin_ns = begin_ns,
                                         .end_ns = end_ns,
                                         .put_cover = put_range_cover,
                                         .context = &range};
    pthread_mutex_lock(&generation->naming);
    if (status == PROF_OK)
      status = prof_view_range_answer(&part, &generation->frames, &asked.known, &diag, &data);
    pthread_mutex_unlock(&generation->naming);
    prof_page_range_free(&range);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

static void answer_next(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_view_data data;
  struct prof_diag diag;
  struct prof_next_call next;
  uint64_t frame, time, back = 0;
  if (!begin(&asked, context, request, answer))
    return;
  struct prof_generation *generation = asked.generation;
  pthread_mutex_lock(&generation->naming);
  bool known = prof_http_number(request, "frame", &frame) && frame < generation->frames.numbers.count;
  const uint32_t number = known ? prof_view_frame_number(&generation->frames, (uint32_t)frame) : PROF_NONE;
  pthread_mutex_unlock(&generation->naming);
  if (!prof_http_number(request, "t", &time) || number == PROF_NONE) {
    prof_http_say(answer, 400, "frame: the number of a function or loop; t: nanoseconds; back=1: the call before");
  } else {
    const struct prof_next_call_wish wish = {number, time, prof_http_number(request, "back", &back) && back};
    const struct prof_stop stop = {is_gone, (void *)(uintptr_t)request};
    prof_status status = prof_next_call_find(&generation->recording.reader.recording, &wish, &stop, &diag, &next);
    if (status == PROF_OK)
      status = prof_view_next_answer(&next, &diag, &data);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

static void answer_values(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_view_data data;
  struct prof_diag diag;
  struct prof_call_values_list found;
  uint64_t thread, depth, time;
  if (!begin(&asked, context, request, answer))
    return;
  const struct prof_recording *recording = &asked.generation->recording.reader.recording;
  if (!prof_http_number(request, "thread", &thread) || !prof_http_number(request, "depth", &depth) ||
      !prof_http_number(request, "t", &time) || thread > UINT32_MAX || depth > UINT32_MAX) {
    prof_http_say(answer, 400, "thread: its number; depth: of the call; t: where it begins, in nanoseconds");
  } else {
    const struct prof_call_wish wish = {(uint32_t)thread, (uint32_t)depth, time};
    const struct prof_stop stop = {is_gone, (void *)(uintptr_t)request};
    prof_status status = prof_call_values_at(recording->trace, &recording->filter, &wish, &stop, &diag, &found);
    if (status == PROF_OK)
      status = prof_view_values_answer(recording->trace, &found, &diag, &data);
    prof_call_values_free(&found);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

static void answer_source(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_view_data data;
  struct prof_diag diag;
  uint64_t file;
  if (!begin(&asked, context, request, answer))
    return;
  if (asked.generation->stage < PROF_READING_WHOLE) {
    prof_http_say(answer, 404, "the recording is being read: sources come with its figures");
  } else if (!prof_http_number(request, "file", &file)) {
    prof_http_say(answer, 400, "file: the number of a file");
  } else {
    struct prof_generation *generation = asked.generation;
    pthread_mutex_lock(&generation->naming);
    prof_status status =
        prof_view_source_answer(&generation->frames, generation->recording.symbols, file, &diag, &data);
    pthread_mutex_unlock(&generation->naming);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

static void answer_code(void *context, const struct prof_http_request *request, struct prof_http_answer *answer) {
  struct asked asked;
  struct prof_view_data data;
  struct prof_diag diag;
  uint64_t frame;
  if (!begin(&asked, context, request, answer))
    return;
  struct prof_generation *generation = asked.generation;
  const struct prof_page_recording *recording = &generation->recording;
  if (generation->stage < PROF_READING_WHOLE) {
    prof_http_say(answer, 404, "the recording is being read: instructions come with its figures");
  } else if (!prof_http_number(request, "frame", &frame) || frame > UINT32_MAX) {
    prof_http_say(answer, 400, "frame: the number of a function");
  } else {
    const struct prof_view_code_wish wish = {(uint32_t)frame, recording->paths, recording->samples, recording->symbols};
    pthread_mutex_lock(&generation->naming);
    prof_status status = prof_view_code_answer(&generation->frames, &wish, &asked.known, &diag, &data);
    pthread_mutex_unlock(&generation->naming);
    give(&asked, status, &diag, &data);
  }
  end(&asked);
}

const struct prof_http_path prof_page_paths[] = {
    {"", answer_page},         {"progress", answer_progress},
    {"data", answer_data},     {"view", answer_view},
    {"range", answer_range},   {"next", answer_next},
    {"values", answer_values}, {"source", answer_source},
    {"code", answer_code},     {NULL, NULL},
};
