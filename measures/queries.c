/*
 * queries.c - wraps SQLite's and PostgreSQL's client libraries: statements, how often, how long, how many rows.
 *
 * A run of a statement of SQLite lasts from the first step to the one that has no row, or to its reset; its time is
 * that in the library.  Of PostgreSQL it is a call that sends and waits, or lasts from sending to the last result.
 * What these functions call of each other is no call of the program's.
 */
#include <stdlib.h>

#include "files.h"
#include "running.h"
#include "statement_text.h"
#include "wrapped.h"

struct sqlite3;
struct sqlite3_stmt;
struct pg_conn;
struct pg_result;
typedef int exec_visit(void *, int, char **, char **);

#pragma weak sqlite3_prepare
#pragma weak sqlite3_prepare_v2
#pragma weak sqlite3_prepare_v3
#pragma weak sqlite3_prepare16
#pragma weak sqlite3_prepare16_v2
#pragma weak sqlite3_prepare16_v3
#pragma weak sqlite3_sql
#pragma weak sqlite3_step
#pragma weak sqlite3_reset
#pragma weak sqlite3_finalize
#pragma weak sqlite3_exec
#pragma weak sqlite3_get_table
int sqlite3_prepare(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
int sqlite3_prepare_v2(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
int sqlite3_prepare_v3(struct sqlite3 *, const char *, int, unsigned, struct sqlite3_stmt **, const char **);
int sqlite3_prepare16(struct sqlite3 *, const void *, int, struct sqlite3_stmt **, const void **);
int sqlite3_prepare16_v2(struct sqlite3 *, const void *, int, struct sqlite3_stmt **, const void **);
int sqlite3_prepare16_v3(struct sqlite3 *, const void *, int, unsigned, struct sqlite3_stmt **, const void **);
const char *sqlite3_sql(struct sqlite3_stmt *);
int sqlite3_step(struct sqlite3_stmt *);
int sqlite3_reset(struct sqlite3_stmt *);
int sqlite3_finalize(struct sqlite3_stmt *);
int sqlite3_exec(struct sqlite3 *, const char *, exec_visit *, void *, char **);
int sqlite3_get_table(struct sqlite3 *, const char *, char ***, int *, int *, char **);

#pragma weak PQexec
#pragma weak PQexecParams
#pragma weak PQprepare
#pragma weak PQexecPrepared
#pragma weak PQsendQuery
#pragma weak PQsendQueryParams
#pragma weak PQsendPrepare
#pragma weak PQsendQueryPrepared
#pragma weak PQgetResult
#pragma weak PQresultStatus
#pragma weak PQntuples
#pragma weak PQcmdTuples
struct pg_result *PQexec(struct pg_conn *, const char *);
struct pg_result *PQexecParams(struct pg_conn *, const char *, int, const unsigned *, const char *const *, const int *,
                               const int *, int);
struct pg_result *PQprepare(struct pg_conn *, const char *, const char *, int, const unsigned *);
struct pg_result *PQexecPrepared(struct pg_conn *, const char *, int, const char *const *, const int *, const int *,
                                 int);
int PQsendQuery(struct pg_conn *, const char *);
int PQsendQueryParams(struct pg_conn *, const char *, int, const unsigned *, const char *const *, const int *,
                      const int *, int);
int PQsendPrepare(struct pg_conn *, const char *, const char *, int, const unsigned *);
int PQsendQueryPrepared(struct pg_conn *, const char *, int, const char *const *, const int *, const int *, int);
struct pg_result *PQgetResult(struct pg_conn *);
int PQresultStatus(const struct pg_result *);
int PQntuples(const struct pg_result *);
char *PQcmdTuples(struct pg_result *);

enum { SQLITE_IS_OK = 0, SQLITE_HAS_ROW = 100, SQLITE_IS_DONE = 101 };
enum { PG_COMMAND_OK = 1, PG_TUPLES_OK = 2, PG_BAD_RESPONSE = 5, PG_FATAL_ERROR = 7, PG_SINGLE_TUPLE = 9 };

/* One of these functions is at work in this thread. */
static __thread volatile bool inside __attribute__((tls_model("initial-exec")));

#define REAL(call)                                                                                                     \
  ({                                                                                                                   \
    inside = true;                                                                                                     \
    __auto_type real_ = call;                                                                                          \
    inside = false;                                                                                                    \
    real_;                                                                                                             \
  })

static void note(enum prof_measure_operation operation, uint32_t text, bool failed, uint64_t rows, uint64_t took,
                 const void *caller) {
  uint64_t number = text <= PROF_MEASURE_FILES ? text : 0;
  uint64_t low = failed || rows >= PROF_MEASURE_IO_FAILED ? PROF_MEASURE_IO_FAILED : rows;
  prof_measure.put(operation, caller, number << PROF_MEASURE_IO_BYTES | low, took >> 58 ? 0 : took);
}

static uint32_t number_of(const char *statement) {
  char text[PROF_STATEMENT_BYTES];
  if (!statement)
    return 0;
  prof_statement_normalise(statement, text);
  return prof_text_number(text);
}

/* ---- SQLite ---- */

static uint64_t key_of(const struct sqlite3_stmt *statement) {
  return prof_running_key(statement, NULL);
}

static void prepared(struct sqlite3_stmt **out, int result, uint64_t begin, const void *caller) {
  const uint64_t took = prof_measure.ticks() - begin;
  struct sqlite3_stmt *statement = result == SQLITE_IS_OK && out ? *out : NULL;
  uint32_t text = statement && sqlite3_sql ? number_of(REAL(sqlite3_sql(statement))) : 0;
  if (statement)
    prof_running_add(key_of(statement), text);
  note(PROF_MEASURE_SQLITE_PREPARE, text, result != SQLITE_IS_OK, 0, took, caller);
}

#define PREPARES(name, parameters, arguments)                                                                          \
  static int wrap_##name parameters {                                                                                  \
    if (inside)                                                                                                        \
      return name arguments;                                                                                           \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    const int result = REAL(name arguments);                                                                           \
    prepared(out, result, begin, PROF_CALLER);                                                                         \
    return result;                                                                                                     \
  }
PREPARES(sqlite3_prepare,
         (struct sqlite3 * db, const char *sql, int bytes, struct sqlite3_stmt **out, const char **end),
         (db, sql, bytes, out, end))
PREPARES(sqlite3_prepare_v2,
         (struct sqlite3 * db, const char *sql, int bytes, struct sqlite3_stmt **out, const char **end),
         (db, sql, bytes, out, end))
PREPARES(sqlite3_prepare_v3,
         (struct sqlite3 * db, const char *sql, int bytes, unsigned flags, struct sqlite3_stmt **out, const char **end),
         (db, sql, bytes, flags, out, end))
PREPARES(sqlite3_prepare16,
         (struct sqlite3 * db, const void *sql, int bytes, struct sqlite3_stmt **out, const void **end),
         (db, sql, bytes, out, end))
PREPARES(sqlite3_prepare16_v2,
         (struct sqlite3 * db, const void *sql, int bytes, struct sqlite3_stmt **out, const void **end),
         (db, sql, bytes, out, end))
PREPARES(sqlite3_prepare16_v3,
         (struct sqlite3 * db, const void *sql, int bytes, unsigned flags, struct sqlite3_stmt **out, const void **end),
         (db, sql, bytes, flags, out, end))

static void end_run(struct prof_running *running, bool failed) {
  if (running->active)
    note(PROF_MEASURE_SQLITE_RUN, running->text, failed, running->rows, running->took, running->caller);
  running->active = false;
  running->took = running->rows = 0;
}

static int wrap_sqlite3_step(struct sqlite3_stmt *statement) {
  struct prof_running *running = inside ? NULL : prof_running_find(key_of(statement));
  if (!running)
    return sqlite3_step(statement);
  if (!running->active)
    running->caller = PROF_CALLER;
  running->active = true;
  const uint64_t begin = prof_measure.ticks();
  const int result = sqlite3_step(statement); /* functions of the program may run statements meanwhile */
  running->took += prof_measure.ticks() - begin;
  running->rows += result == SQLITE_HAS_ROW;
  if (result != SQLITE_HAS_ROW)
    end_run(running, result != SQLITE_IS_DONE);
  return result;
}

static int wrap_sqlite3_reset(struct sqlite3_stmt *statement) {
  struct prof_running *running = inside ? NULL : prof_running_find(key_of(statement));
  if (running)
    end_run(running, false);
  return sqlite3_reset(statement);
}

static int wrap_sqlite3_finalize(struct sqlite3_stmt *statement) {
  const uint64_t key = key_of(statement);
  struct prof_running *running = inside ? NULL : prof_running_find(key);
  if (running) {
    end_run(running, false);
    prof_running_remove(key); /* before another one may get the address */
  }
  return sqlite3_finalize(statement);
}

struct visiting { /* rows of sqlite3_exec */
  exec_visit *visit;
  void *context;
  uint64_t rows;
};

/* The program's function may run statements, too. */
static int visit_row(void *context, int columns, char **values, char **names) {
  struct visiting *visiting = context;
  visiting->rows++;
  inside = false;
  const int result = visiting->visit(visiting->context, columns, values, names);
  inside = true;
  return result;
}

static int wrap_sqlite3_exec(struct sqlite3 *db, const char *sql, exec_visit *visit, void *context, char **error) {
  if (inside)
    return sqlite3_exec(db, sql, visit, context, error);
  const uint32_t text = number_of(sql);
  struct visiting visiting = {visit, context, 0};
  const uint64_t begin = prof_measure.ticks();
  const int result = REAL(sqlite3_exec(db, sql, visit ? visit_row : NULL, visit ? &visiting : context, error));
  note(PROF_MEASURE_SQLITE_RUN, text, result != SQLITE_IS_OK, visiting.rows, prof_measure.ticks() - begin, PROF_CALLER);
  return result;
}

static int wrap_sqlite3_get_table(struct sqlite3 *db, const char *sql, char ***table, int *rows, int *columns,
                                  char **error) {
  if (inside)
    return sqlite3_get_table(db, sql, table, rows, columns, error);
  const uint32_t text = number_of(sql);
  const uint64_t begin = prof_measure.ticks();
  const int result = REAL(sqlite3_get_table(db, sql, table, rows, columns, error));
  note(PROF_MEASURE_SQLITE_RUN, text, result != SQLITE_IS_OK, result == SQLITE_IS_OK && rows ? (uint64_t)*rows : 0,
       prof_measure.ticks() - begin, PROF_CALLER);
  return result;
}

/* ---- PostgreSQL ---- */

static bool has_failed(const struct pg_result *result) {
  const int status = result && PQresultStatus ? PQresultStatus(result) : PG_FATAL_ERROR;
  return status == PG_FATAL_ERROR || status == PG_BAD_RESPONSE;
}

/* Rows that came, or that were changed. */
static uint64_t rows_of(struct pg_result *result) {
  const int status = result && PQresultStatus ? PQresultStatus(result) : 0;
  if ((status == PG_TUPLES_OK || status == PG_SINGLE_TUPLE) && PQntuples)
    return (uint64_t)PQntuples(result);
  const char *changed = status == PG_COMMAND_OK && PQcmdTuples ? PQcmdTuples(result) : "";
  return strtoull(changed, NULL, 10);
}

#define RUNS(operation, name, statement, parameters, arguments)                                                        \
  static struct pg_result *wrap_##name parameters {                                                                    \
    if (inside)                                                                                                        \
      return name arguments;                                                                                           \
    const uint32_t text = statement;                                                                                   \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    struct pg_result *result = REAL(name arguments);                                                                   \
    const uint64_t took = prof_measure.ticks() - begin;                                                                \
    note(operation, text, has_failed(result), rows_of(result), took, PROF_CALLER);                                     \
    return result;                                                                                                     \
  }

static uint32_t prepare_named(const struct pg_conn *connection, const char *name, const char *sql) {
  const uint32_t text = number_of(sql);
  prof_running_add(prof_running_key(connection, name ? name : ""), text);
  return text;
}

static uint32_t named(const struct pg_conn *connection, const char *name) {
  const struct prof_running *prepared = prof_running_find(prof_running_key(connection, name ? name : ""));
  return prepared ? prepared->text : 0;
}

RUNS(PROF_MEASURE_POSTGRES_RUN, PQexec, number_of(sql), (struct pg_conn * connection, const char *sql),
     (connection, sql))
RUNS(PROF_MEASURE_POSTGRES_RUN, PQexecParams, number_of(sql),
     (struct pg_conn * connection, const char *sql, int count, const unsigned *types, const char *const *values,
      const int *lengths, const int *formats, int format),
     (connection, sql, count, types, values, lengths, formats, format))
RUNS(PROF_MEASURE_POSTGRES_PREPARE, PQprepare, prepare_named(connection, name, sql),
     (struct pg_conn * connection, const char *name, const char *sql, int count, const unsigned *types),
     (connection, name, sql, count, types))
RUNS(PROF_MEASURE_POSTGRES_RUN, PQexecPrepared, named(connection, name),
     (struct pg_conn * connection, const char *name, int count, const char *const *values, const int *lengths,
      const int *formats, int format),
     (connection, name, count, values, lengths, formats, format))

/* What was sent and not answered yet is known by the connection with this name. */
static uint64_t sent_key(const struct pg_conn *connection) {
  return prof_running_key(connection, "\1sent");
}

/* If several are sent at once (pipeline mode), their answers are one run of the last one. */
static void sent(const struct pg_conn *connection, uint32_t text, uint64_t begin, const void *caller) {
  struct prof_running *running = prof_running_add(sent_key(connection), text);
  if (!running)
    return;
  running->active = true;
  running->begin = begin;
  running->caller = caller;
}

#define SENDS(name, statement, parameters, arguments)                                                                  \
  static int wrap_##name parameters {                                                                                  \
    if (inside)                                                                                                        \
      return name arguments;                                                                                           \
    const uint32_t text = statement;                                                                                   \
    const uint64_t begin = prof_measure.ticks();                                                                       \
    const int result = REAL(name arguments);                                                                           \
    if (result)                                                                                                        \
      sent(connection, text, begin, PROF_CALLER);                                                                      \
    return result;                                                                                                     \
  }
SENDS(PQsendQuery, number_of(sql), (struct pg_conn * connection, const char *sql), (connection, sql))
SENDS(PQsendQueryParams, number_of(sql),
      (struct pg_conn * connection, const char *sql, int count, const unsigned *types, const char *const *values,
       const int *lengths, const int *formats, int format),
      (connection, sql, count, types, values, lengths, formats, format))
SENDS(PQsendPrepare, prepare_named(connection, name, sql),
      (struct pg_conn * connection, const char *name, const char *sql, int count, const unsigned *types),
      (connection, name, sql, count, types))
SENDS(PQsendQueryPrepared, named(connection, name),
      (struct pg_conn * connection, const char *name, int count, const char *const *values, const int *lengths,
       const int *formats, int format),
      (connection, name, count, values, lengths, formats, format))

static struct pg_result *wrap_PQgetResult(struct pg_conn *connection) {
  struct pg_result *result = REAL(PQgetResult(connection));
  struct prof_running *running = prof_running_find(sent_key(connection));
  if (!running || !running->active)
    return result;
  if (result && !has_failed(result)) {
    running->rows += rows_of(result);
    return result;
  }
  note(PROF_MEASURE_POSTGRES_RUN, running->text, result != NULL, running->rows, prof_measure.ticks() - running->begin,
       running->caller);
  running->active = false;
  return result;
}

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
struct prof_wrapped prof_wrapped_queries[] = {
    ROW(sqlite3_prepare),
    ROW(sqlite3_prepare_v2),
    ROW(sqlite3_prepare_v3),
    ROW(sqlite3_prepare16),
    ROW(sqlite3_prepare16_v2),
    ROW(sqlite3_prepare16_v3),
    ROW(sqlite3_step),
    ROW(sqlite3_reset),
    ROW(sqlite3_finalize),
    ROW(sqlite3_exec),
    ROW(sqlite3_get_table),
    ROW(PQexec),
    ROW(PQexecParams),
    ROW(PQprepare),
    ROW(PQexecPrepared),
    ROW(PQsendQuery),
    ROW(PQsendQueryParams),
    ROW(PQsendPrepare),
    ROW(PQsendQueryPrepared),
    ROW(PQgetResult),
    {0},
};
