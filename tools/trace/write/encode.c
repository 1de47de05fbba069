/*
 * tools/trace/write/encode.c - the chunk being built: memory, call edges, open frames, steps.  See encode.h; columns.c
 * packs and writes it.
 */
#include "encode.h"

#include <stdlib.h>
#include <string.h>

#include "delta_columns.h"
#include "encoder_inline.h"
#include "event.h"

#define FRAME_BYTES 28u /* of an open frame, with its edge */

prof_encoder *prof_encoder_new(prof_packer *packer, uint32_t thread) {
  struct prof_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder)
    return NULL;
  encoder->packer = packer;
  encoder->thread = thread;
  return encoder;
}

static bool grow_columns(struct prof_encoder *encoder, uint32_t need) {
  uint32_t capacity = encoder->capacity ? encoder->capacity : 1024;
  while (capacity < need)
    capacity *= 2;
  uint8_t *ops = realloc(encoder->ops, capacity);
  if (ops)
    encoder->ops = ops;
  uint32_t *deltas = realloc(encoder->deltas, capacity * sizeof *deltas);
  if (deltas)
    encoder->deltas = deltas;
  if (!ops || !deltas)
    return false;
  encoder->capacity = capacity;
  return true;
}

bool prof_encoder_reserve(struct prof_encoder *encoder, uint32_t more) {
  if (encoder->count + more > encoder->capacity && !grow_columns(encoder, encoder->count + more))
    return false;
  return prof_vec_reserve(&encoder->side, (size_t)more * PROF_ENCODER_SIDE_BYTES);
}

void prof_encoder_free_columns(struct prof_encoder *encoder) {
  free(encoder->ops);
  free(encoder->deltas);
  encoder->ops = NULL;
  encoder->deltas = NULL;
  encoder->capacity = 0;
  prof_vec_fini(&encoder->side);
}

void prof_encoder_use(prof_encoder *encoder, prof_packer *packer) {
  encoder->packer = packer;
}

void prof_encoder_free(prof_encoder *encoder) {
  if (!encoder)
    return;
  prof_encoder_free_columns(encoder);
  prof_vec_fini(&encoder->frames);
  prof_vec_fini(&encoder->edges);
  free(encoder->table);
  free(encoder);
}

#define TABLE_FIRST_SHIFT 57 /* 128 slots */

static struct prof_edge_slot *find(struct prof_edge_slot *table, uint32_t shift, uint64_t key) {
  uint32_t mask = (1u << (64 - shift)) - 1, at = prof_edge_hash(key, shift);
  while (table[at].key && table[at].key != key)
    at = (at + 1) & mask;
  return &table[at];
}

static bool grow_table(struct prof_encoder *encoder) {
  uint32_t shift = encoder->table ? encoder->table_shift - 1 : TABLE_FIRST_SHIFT;
  struct prof_edge_slot *table = calloc(((size_t)1 << (64 - shift)) + 1, sizeof *table); /* one always stays free */
  if (!table)
    return false;
  for (size_t i = 0; encoder->table && i < (size_t)1 << (64 - encoder->table_shift); i++)
    if (encoder->table[i].key)
      *find(table, shift, encoder->table[i].key) = encoder->table[i];
  free(encoder->table);
  encoder->table = table;
  encoder->table_shift = shift;
  return true;
}

struct prof_edge_slot *prof_encoder_edge(struct prof_encoder *encoder, uint64_t key, uint32_t function) {
  size_t slots = encoder->table ? (size_t)1 << (64 - encoder->table_shift) : 0;
  if (2 * (size_t)(encoder->edge_count + 1) > slots && !grow_table(encoder))
    return NULL;
  struct prof_edge_slot *slot = find(encoder->table, encoder->table_shift, key);
  if (slot->key)
    return slot;
  if (!prof_vec_reserve(&encoder->edges, 8))
    return NULL;
  prof_payload_u32(&encoder->edges, prof_event_site((uint32_t)key));
  prof_payload_u32(&encoder->edges, (uint32_t)(key >> 32));
  *slot = (struct prof_edge_slot){.key = key, .index = encoder->edge_count++, .function = function};
  return slot;
}

static void forget_edges(struct prof_encoder *encoder) {
  if (encoder->table)
    memset(encoder->table, 0, ((size_t)1 << (64 - encoder->table_shift)) * sizeof *encoder->table);
  encoder->edge_count = 0;
  encoder->edges.count = 0;
}

bool prof_encoder_begin(struct prof_encoder *encoder, uint64_t time, const struct prof_open_stack *stack) {
  forget_edges(encoder);
  encoder->frames.count = 0;
  encoder->frames.failed = false;
  if (!encoder->table && !grow_table(encoder))
    return false;
  uint64_t outer_entry = 0, outer_stalled = 0;
  for (uint32_t i = 1; i <= stack->depth; i++) {
    const struct prof_open_frame *frame = &stack->frames[i];
    const struct prof_edge_slot *edge = prof_encoder_edge(encoder, frame->key, frame->function);
    if (!edge)
      return false;
    prof_payload_varint(&encoder->frames, edge->index);
    prof_payload_varint(&encoder->frames, i == 1 ? time - frame->entry : frame->entry - outer_entry);
    prof_payload_varint(&encoder->frames, frame->stalled - outer_stalled);
    outer_entry = frame->entry;
    outer_stalled = frame->stalled;
  }
  if (encoder->frames.failed)
    return false;
  if (encoder->frame_count != stack->depth)
    encoder->frames_spared = 0;
  encoder->frame_count = stack->depth;
  encoder->frames_omitted = stack->omitted;
  encoder->base_time = encoder->last_time = time;
  encoder->stalled_before = stack->stalled_ticks;
  encoder->inversions = 0;
  encoder->side.count = 0;
  return true;
}

/* Writes the side bytes of a special step; returns its op. */
static uint8_t put_special(struct prof_encoder *encoder, struct prof_columns_end *end, const struct prof_step *step) {
  uint32_t code = PROF_FORMAT_EXIT_OUTER;
  while (prof_format_special_step(code)->op != step->op)
    code++;
  const struct prof_format_special_step *special = prof_format_special_step(code);
  end->side = prof_varint_put(end->side, code);
  if (special->has_value)
    end->side = prof_varint_put(end->side, step->value);
  if (special->has_count)
    end->side = prof_varint_put(end->side, step->count);
  for (int i = 0; special->has_operands && i < 2; i++)
    end->side = prof_varint_put(end->side, step->operands[i]);
  encoder->untimed += prof_op_is_untimed(step->op);
  return PROF_FORMAT_OP_SPECIAL;
}

void prof_encoder_put(struct prof_encoder *encoder, const struct prof_step *step) {
  struct prof_columns_end end = prof_columns_end(encoder);
  uint64_t delta = step->time - encoder->last_time;
  uint8_t op = PROF_FORMAT_OP_EXIT;
  if (delta > UINT32_MAX) {
    prof_columns_put(&end, put_special(encoder, &end, &(struct prof_step){.op = PROF_OP_NOTHING, .count = delta}), 0);
    delta = 0;
  }
  if (step->op == PROF_OP_ENTRY)
    op = prof_columns_entry(&end, step->value);
  else if (step->op != PROF_OP_EXIT || step->count)
    op = put_special(encoder, &end, step);
  prof_columns_put(&end, op, (uint32_t)delta);
  prof_columns_take(encoder, &end, step->time);
}

uint32_t prof_encoder_waiting(const prof_encoder *encoder) {
  return encoder->count;
}

static uint64_t chunk_bytes(size_t frames, size_t edges) {
  return sizeof(struct prof_format_chunk) + sizeof(struct prof_format_events) + frames + edges + PROF_FORMAT_ALIGNMENT;
}

uint64_t prof_encoder_waiting_bytes(const prof_encoder *encoder) {
  if (!encoder->count)
    return 0;
  return chunk_bytes(encoder->frames.count - encoder->frames_spared, encoder->edges.count) + encoder->count +
         encoder->side.count + prof_delta_columns_bound(encoder->count);
}

/* Assumes that frames which were open at the last chunk's begin take the same space again. */
uint64_t prof_encoder_begin_bytes(const prof_encoder *encoder, uint32_t depth) {
  uint64_t more = depth > encoder->frame_count ? depth - encoder->frame_count : 0;
  return chunk_bytes(encoder->frames.count - encoder->frames_spared, 0) + more * FRAME_BYTES;
}

uint64_t prof_encoder_memory_bytes(const struct prof_encoder *encoder) {
  size_t slots = encoder->table ? ((size_t)1 << (64 - encoder->table_shift)) + 1 : 0;
  return sizeof *encoder + encoder->capacity * (sizeof *encoder->ops + sizeof *encoder->deltas) +
         encoder->side.capacity + encoder->frames.capacity + encoder->edges.capacity + slots * sizeof *encoder->table;
}
