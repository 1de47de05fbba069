/*
 * test/gpu/double/records.h - activity records of libcupti's double: the GPU's part.
 */
#ifndef TEST_GPU_RECORDS_H
#define TEST_GPU_RECORDS_H

#include "cupti_abi.h"
#include "double.h"

/* libcupti.c */
const char *double_knob(const char *name); /* value of GPU_DOUBLE_name; NULL: not set */
unsigned double_knob_number(const char *name);
uint64_t double_now(void); /* in the unit of the records' times */
/* A time before the collector saw the thread's present call begin; however late work is done in it. */
uint64_t double_call_began(void);

/* records.c */
int double_records_enable(int kind);
void double_records_flush(void);
void double_records_forget(void); /* no kind is enabled any more */
void double_records_reset(void);  /* the context goes with its streams, another one comes */
void double_records_work(uint32_t correlation, const struct double_work *);

/* places.c: a kernel of this name ran */
void double_places_ran(const char *kernel);

/* A record as it is; and, for replay.c, a callback. */
void double_records_put(const uint8_t *record, size_t length);
void double_call(int domain, uint32_t id, const char *name, uint32_t correlation, enum abi_site);

/* replay.c */
void double_replay(void);
size_t double_replay_length(int kind); /* 0: as ever */

int cuptiGetGraphNodeId(void *, uint64_t *);
int cuptiGetVersion(uint32_t *);
int cuptiGetResultString(int, const char **);
int cuptiGetTimestamp(uint64_t *);
int cuptiActivityRegisterTimestampCallback(abi_timestamp *);
int cuptiSubscribe(void **, abi_callback *, void *);
int cuptiUnsubscribe(void *);
int cuptiFinalize(void);
int gpu_double_listens(void);
unsigned gpu_double_flushes(void);
int cuptiSubscribe_v2(void **, abi_callback *, void *, struct abi_subscriber *);
int cuptiGetStreamIdEx(void *, void *, uint8_t, uint32_t *);
int cuptiEnableCallback(uint32_t, void *, int, uint32_t);
int cuptiActivitySetAttribute(int, size_t *, void *);
int cuptiActivityEnable(int);
int cuptiActivityFlushAll(uint32_t);
int cuptiActivityRegisterCallbacks(abi_buffer_requested *, abi_buffer_completed *);
int cuptiActivityGetNextRecord(uint8_t *, size_t, void **);
int cuptiActivityGetNumDroppedRecords(void *, uint32_t, size_t *);

#endif
