/* libpq.c - a double of PostgreSQL's client library: each answer has three rows, or five that were changed. */
#include <stddef.h>
#include <string.h>

struct pg_conn;
struct pg_result {
  int status;
};
static struct pg_result rows = {2}, changed = {1}, failed = {7};
static int pending;

static struct pg_result *answer(const char *sql) {
  return strncmp(sql, "fail", 4) == 0 ? &failed : &rows;
}

int PQsendQuery(struct pg_conn *connection, const char *sql) {
  (void)connection, (void)sql;
  pending = 1;
  return 1;
}
struct pg_result *PQgetResult(struct pg_conn *connection) {
  (void)connection;
  return pending-- > 0 ? &rows : NULL;
}
/* As the real one does, by functions that the program may call, too. */
struct pg_result *PQexec(struct pg_conn *connection, const char *sql) {
  PQsendQuery(connection, sql);
  PQgetResult(connection);
  return answer(sql);
}
struct pg_result *PQexecParams(struct pg_conn *connection, const char *sql, int count, const unsigned *types,
                               const char *const *values, const int *lengths, const int *formats, int format) {
  (void)connection, (void)count, (void)types, (void)values, (void)lengths, (void)formats, (void)format;
  return answer(sql);
}
struct pg_result *PQprepare(struct pg_conn *connection, const char *name, const char *sql, int count,
                            const unsigned *types) {
  (void)connection, (void)name, (void)sql, (void)count, (void)types;
  return &changed;
}
struct pg_result *PQexecPrepared(struct pg_conn *connection, const char *name, int count, const char *const *values,
                                 const int *lengths, const int *formats, int format) {
  (void)connection, (void)name, (void)count, (void)values, (void)lengths, (void)formats, (void)format;
  return &changed;
}
int PQresultStatus(const struct pg_result *result) {
  return result->status;
}
int PQntuples(const struct pg_result *result) {
  (void)result;
  return 3;
}
char *PQcmdTuples(struct pg_result *result) {
  static char five[] = "5";
  (void)result;
  return five;
}
