#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "place/file.h"
#include "sqlite.h"

enum { APPLICATION = 0x706c6163 /* "plac" */, FORMAT = 1, READ_WAIT_MS = 50 };

#define COLUMNS "key, image, kernel, place, device, verdict, used"

struct session {
  const struct sqlite *sql;
  sqlite3 *db;
  const char *file;
  ino_t inode; /* of the file when it was opened */
};

static int fail(struct place_diag *diag, const char *file, const char *what) {
  return place_diag_set(diag, "%s: %s", file, what);
}

/* ---- rows ---- */

static void free_row(struct store_row *r) {
  free(r->key), free(r->image), free(r->kernel), free(r->where), free(r->device), free(r->verdict);
}

void store_rows_free(struct store_rows *rows) {
  for (size_t i = 0; i < rows->count; i++) free_row(&rows->row[i]);
  free(rows->row);
  *rows = (struct store_rows){NULL, 0};
}

static char *text_of(const struct session *s, sqlite3_stmt *statement, int column) {
  const unsigned char *text = s->sql->column_text(statement, column);
  return strdup(text ? (const char *)text : "");
}

static int add_row(const struct session *s, sqlite3_stmt *statement, struct store_rows *rows) {
  if (!(rows->count & (rows->count + 1))) { /* 0, 1, 3, 7, ...: room is doubled */
    struct store_row *more = realloc(rows->row, (2 * rows->count + 1) * sizeof *more);
    if (!more) return -1;
    rows->row = more;
  }
  char *text[6];
  for (int i = 0; i < 6; i++) text[i] = text_of(s, statement, i);
  rows->row[rows->count++] = (struct store_row){text[0], text[1], text[2], text[3], text[4], text[5], s->sql->column_int64(statement, 6)};
  for (int i = 0; i < 6; i++)
    if (!text[i]) return -1;
  return 0;
}

/* ---- opening ---- */

static ino_t inode_of(const char *file) {
  struct stat info;
  return stat(file, &info) ? 0 : info.st_ino;
}

static int make_folder(const char *file) {
  char path[4096];
  if (strlen(file) >= sizeof path) return -1;
  strcpy(path, file);
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0700) && errno != EEXIST && errno != EISDIR && access(path, X_OK)) return -1;
    *slash = '/';
  }
  return 0;
}

/* Nobody else's business: what a user ran. */
static void create(const char *file) {
  int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) close(fd);
}

static int number(const struct session *s, const char *pragma, int64_t *value) {
  sqlite3_stmt *statement = NULL;
  int rc = s->sql->prepare_v2(s->db, pragma, -1, &statement, NULL);
  if (rc == SQLITE_OK) rc = s->sql->step(statement);
  if (rc == SQLITE_ROW) *value = s->sql->column_int64(statement, 0);
  s->sql->finalize(statement);
  return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* Whether the file is place's, or empty (*empty): else an error of SQLite's. */
static int check(const struct session *s, bool *empty) {
  int64_t application = 0, format = 0, tables = 0;
  int rc = number(s, "PRAGMA application_id", &application);
  if (rc == SQLITE_OK) rc = number(s, "PRAGMA user_version", &format);
  if (rc == SQLITE_OK) rc = number(s, "SELECT count(*) FROM sqlite_master", &tables);
  *empty = rc == SQLITE_OK && !tables && !application && !format;
  if (rc != SQLITE_OK || *empty) return rc;
  return application == APPLICATION && format == FORMAT ? SQLITE_OK : SQLITE_NOTADB;
}

static void end(struct session *s) {
  if (s->db) s->sql->close(s->db);
  s->db = NULL;
}

static int begin(struct session *s, const char *file, int flags, unsigned wait_ms) {
  *s = (struct session){.sql = sqlite(), .file = file, .inode = inode_of(file)};
  if (!s->sql) return SQLITE_MISUSE;
  int rc = s->sql->open_v2(file, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
  if (rc == SQLITE_OK) s->sql->busy_timeout(s->db, (int)wait_ms);
  return rc;
}

static int run(const struct session *s, const char *text) { return s->sql->exec(s->db, text, NULL, NULL, NULL); }

static const char *describe(const struct session *s) {
  static _Thread_local char text[320];
  if (s->sql) return s->db ? s->sql->errmsg(s->db) : "out of memory";
  snprintf(text, sizeof text, "nothing is remembered from one run to the next: %s", sqlite_failure());
  return text;
}

/* ---- files that are none of place's ---- */

static bool is_bad(int rc) { return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB; }

/* Another process may have moved it away meanwhile: then what has its name now is another file. */
static void move_aside(const struct session *s, struct place_diag *aside) {
  char to[4200], journal[4200], journal_to[4300];
  snprintf(to, sizeof to, "%s.aside", s->file);
  for (unsigned n = 2; n < 100 && !access(to, F_OK); n++) snprintf(to, sizeof to, "%s.aside%u", s->file, n);
  snprintf(journal, sizeof journal, "%s-journal", s->file);
  snprintf(journal_to, sizeof journal_to, "%s-journal", to);
  if (!s->inode || inode_of(s->file) != s->inode || rename(s->file, to)) return;
  rename(journal, journal_to);
  place_diag_set(aside, "%s is damaged, or no store of place's: it is now %s", s->file, to);
}

/* ---- reading ---- */

static int select_rows(const struct session *s, const char *image, struct store_rows *rows) {
  sqlite3_stmt *statement = NULL;
  const char *text = image ? "SELECT " COLUMNS " FROM verdict WHERE image = ?1" : "SELECT " COLUMNS " FROM verdict ORDER BY used DESC";
  int rc = s->sql->prepare_v2(s->db, text, -1, &statement, NULL);
  if (rc == SQLITE_OK && image) rc = s->sql->bind_text(statement, 1, image, -1, SQLITE_STATIC);
  while (rc == SQLITE_OK || rc == SQLITE_ROW) {
    rc = s->sql->step(statement);
    if (rc == SQLITE_ROW && add_row(s, statement, rows)) rc = SQLITE_NOMEM;
  }
  s->sql->finalize(statement);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_read(const char *file, const char *image, struct store_rows *rows, struct place_diag *aside, struct place_diag *diag) {
  struct session s;
  bool empty = false;
  *rows = (struct store_rows){NULL, 0};
  if (access(file, F_OK)) return 0;
  if (place_file_check(file, diag)) return -1;
  int rc = begin(&s, file, SQLITE_OPEN_READONLY, READ_WAIT_MS);
  if (rc == SQLITE_OK) rc = run(&s, "BEGIN"); /* what is checked and what is read are of one time */
  if (rc == SQLITE_OK) rc = check(&s, &empty);
  if (rc == SQLITE_OK && !empty) rc = select_rows(&s, image, rows);
  if (rc != SQLITE_OK) {
    fail(diag, file, describe(&s));
    store_rows_free(rows);
  }
  end(&s);
  if (is_bad(rc)) move_aside(&s, aside);
  return rc == SQLITE_OK ? 0 : -1;
}

/* ---- writing ---- */

static int insert(const struct session *s, sqlite3_stmt *statement, const struct store_row *r) {
  const char *text[] = {r->key, r->image, r->kernel, r->where, r->device, r->verdict};
  int rc = s->sql->reset(statement);
  for (int i = 0; i < 6 && rc == SQLITE_OK; i++) rc = s->sql->bind_text(statement, i + 1, text[i], -1, SQLITE_STATIC);
  if (rc == SQLITE_OK) rc = s->sql->bind_int64(statement, 7, r->used);
  if (rc == SQLITE_OK) rc = s->sql->step(statement);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int insert_all(const struct session *s, const struct store_row *rows, size_t count) {
  sqlite3_stmt *statement = NULL;
  int rc = s->sql->prepare_v2(s->db, "INSERT OR REPLACE INTO verdict(" COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", -1, &statement, NULL);
  for (size_t i = 0; i < count && rc == SQLITE_OK; i++) rc = insert(s, statement, &rows[i]);
  s->sql->finalize(statement);
  return rc;
}

/* Within the transaction: another process may have made the table meanwhile. */
static int make_table(const struct session *s) {
  char text[400];
  bool empty;
  int rc = check(s, &empty);
  if (rc != SQLITE_OK || !empty) return rc;
  snprintf(text, sizeof text,
           "PRAGMA application_id = %d; PRAGMA user_version = %d;"
           "CREATE TABLE verdict(key TEXT PRIMARY KEY, image TEXT NOT NULL, kernel TEXT NOT NULL, place TEXT NOT NULL,"
           " device TEXT NOT NULL, verdict TEXT NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;"
           "CREATE INDEX by_image ON verdict(image); CREATE INDEX by_use ON verdict(used)", APPLICATION, FORMAT);
  return run(s, text);
}

static int evict(const struct session *s) {
  char text[200];
  snprintf(text, sizeof text,
           "DELETE FROM verdict WHERE key IN (SELECT key FROM verdict ORDER BY used DESC LIMIT -1 OFFSET %d)", STORE_ROWS);
  return run(s, text);
}

static int write_rows(const struct session *s, const struct store_row *rows, size_t count) {
  int rc = run(s, "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");
  if (rc == SQLITE_OK) rc = make_table(s);
  if (rc == SQLITE_OK) rc = insert_all(s, rows, count);
  if (rc == SQLITE_OK) rc = evict(s);
  if (rc == SQLITE_OK) rc = run(s, "COMMIT");
  return rc;
}

int store_write(const char *file, const struct store_row *rows, size_t count, unsigned wait_ms, struct place_diag *aside,
                struct place_diag *diag) {
  int rc = SQLITE_ERROR;
  if (make_folder(file)) return fail(diag, file, "its folder cannot be made");
  if (place_file_check(file, diag)) return -1;
  for (int attempt = 0; attempt < 2; attempt++) {
    struct session s;
    create(file);
    rc = begin(&s, file, SQLITE_OPEN_READWRITE, wait_ms);
    if (rc == SQLITE_OK) rc = write_rows(&s, rows, count);
    if (rc != SQLITE_OK) fail(diag, file, describe(&s));
    end(&s); /* rolls back what was not committed */
    if (!is_bad(rc)) break;
    move_aside(&s, aside);
  }
  return rc == SQLITE_OK ? 0 : -1;
}

int store_drop(const char *file, const char *key, struct place_diag *diag) {
  enum { WAIT_MS = 5000 };
  struct session s;
  sqlite3_stmt *statement = NULL;
  bool empty = false;
  int dropped = 0;
  if (access(file, F_OK)) return 0;
  if (place_file_check(file, diag)) return -1;
  int rc = begin(&s, file, SQLITE_OPEN_READWRITE, WAIT_MS);
  if (rc == SQLITE_OK) rc = run(&s, "BEGIN IMMEDIATE");
  if (rc == SQLITE_OK) rc = check(&s, &empty);
  if (rc == SQLITE_OK && !empty) {
    rc = s.sql->prepare_v2(s.db, "DELETE FROM verdict WHERE substr(key, 1, length(?1)) = ?1", -1, &statement, NULL);
    if (rc == SQLITE_OK) rc = s.sql->bind_text(statement, 1, key, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK && (rc = s.sql->step(statement)) == SQLITE_DONE) rc = SQLITE_OK;
    dropped = s.sql->changes(s.db);
    s.sql->finalize(statement);
    if (rc == SQLITE_OK) rc = run(&s, "COMMIT");
  }
  if (rc != SQLITE_OK) fail(diag, file, rc == SQLITE_NOTADB ? "is no store of place's" : describe(&s));
  end(&s);
  return rc == SQLITE_OK ? dropped : -1;
}
