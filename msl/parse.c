/* Entries: the processor's items, then one entry for each memory. Values: parse_value.c. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

bool msl_syntax(struct msl_reader *reader, const char *expected) {
  char found[64];
  msl_error(reader, reader->token.at, "expected %s, found %s", expected,
            msl_token_text(reader, found, sizeof found));
  return false;
}

bool msl_expect(struct msl_reader *reader, enum msl_token_kind kind, const char *what) {
  if (reader->token.kind != kind)
    return msl_syntax(reader, what);
  msl_next(reader);
  return true;
}

/* After a syntax error: on to the next entry. */
static void recover(struct msl_reader *reader) {
  reader->broken = true;
  while (reader->token.kind != MSL_END && reader->token.kind != MSL_SEMICOLON)
    msl_next(reader);
  if (reader->token.kind == MSL_SEMICOLON)
    msl_next(reader);
}

/* A missing semicolon is shown where it is missing, and loses nothing. */
static void end_entry(struct msl_reader *reader, const char *entry) {
  if (reader->token.kind == MSL_SEMICOLON) {
    msl_next(reader);
    return;
  }
  msl_error(reader, reader->last_end, "expected ';' at the end of %s", entry);
  if (reader->token.kind != MSL_WORD)
    recover(reader);
}

/* ---- processor items: sm = 32 core; clock = 1980MHz; ------------------------------------------------------------- */

static bool field_named(const struct msl_reader *reader, const struct msl_token *key, const struct msl_field *field) {
  size_t len = key->end - key->at;
  return strlen(field->key) == len && !memcmp(field->key, reader->text + key->at, len);
}

/* The kinds of value that a container's items have in common: any of them serves to read the number. */
static const struct msl_field *first_of_container(const struct msl_reader *reader, const struct msl_token *key) {
  for (unsigned i = 0; i < msl_processor_field_count; i++)
    if (field_named(reader, key, &msl_processor_fields[i]))
      return &msl_processor_fields[i];
  return NULL;
}

/* The word behind the number decides which item of the container this is: looked up before the number is read. */
static const struct msl_field *find_item(struct msl_reader *reader, const struct msl_token *key) {
  struct msl_token token = reader->token;
  size_t pos = reader->pos, last_end = reader->last_end;
  bool broken = reader->broken;
  struct msl_diagnostics *diagnostics = reader->diagnostics;
  reader->diagnostics = NULL; /* what is wrong here is said when it is read */
  while (reader->token.kind == MSL_TILDE)
    msl_next(reader);
  if (reader->token.kind != MSL_WORD || msl_token_is(reader, "na") || msl_token_is(reader, "om"))
    msl_next(reader);
  const struct msl_field *found = NULL;
  for (unsigned i = 0; i < msl_processor_field_count && !found; i++)
    if (field_named(reader, key, &msl_processor_fields[i]) && msl_token_is(reader, msl_processor_fields[i].item))
      found = &msl_processor_fields[i];
  reader->token = token;
  reader->pos = pos;
  reader->last_end = last_end;
  reader->broken = broken;
  reader->diagnostics = diagnostics;
  return found;
}

static const char *items_of(const struct msl_reader *reader, const struct msl_token *key, char *buffer, size_t bytes) {
  size_t used = 0;
  buffer[0] = 0;
  for (unsigned i = 0; i < msl_processor_field_count && used < bytes; i++)
    if (field_named(reader, key, &msl_processor_fields[i]))
      used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", used ? ", " : "", msl_processor_fields[i].item);
  return buffer;
}

static bool read_item(struct msl_reader *reader, const struct msl_token *key, const struct msl_field *field) {
  size_t *at = &reader->processor_at[field - msl_processor_fields];
  if (*at)
    msl_error(reader, key->at, *field->item ? "'%s = ... %s' is given twice" : "'%s%s' is given twice", field->key,
              field->item);
  *at = reader->token.at;
  if (!msl_parse_field(reader, field, reader->machine, NULL))
    return false;
  if (*field->item)
    msl_next(reader);
  return true;
}

static bool read_unknown_item(struct msl_reader *reader, const struct msl_token *key) {
  int len = (int)(key->end - key->at > 40 ? 40 : key->end - key->at);
  const struct msl_field *container = first_of_container(reader, key);
  if (!container) {
    msl_error(reader, key->at, "the processor entry has no item '%.*s'", len, reader->text + key->at);
    return false;
  }
  char items[100];
  struct msl_token number = reader->token;
  msl_next(reader);
  if (number.kind != MSL_NUMBER && number.kind != MSL_QUESTION && number.kind != MSL_TILDE) {
    reader->token = number;
    reader->pos = number.end;
    return msl_syntax(reader, "a number");
  }
  char found[64];
  msl_error(reader, reader->token.at, "expected one of %s after '%.*s = NUMBER', found %s",
            items_of(reader, key, items, sizeof items), len, reader->text + key->at,
            msl_token_text(reader, found, sizeof found));
  return false;
}

static void parse_item(struct msl_reader *reader) {
  struct msl_token key = reader->token;
  if (reader->count)
    msl_error(reader, key.at, "processor items stand before the first memory");
  msl_next(reader);
  msl_next(reader); /* = */
  const struct msl_field *field = first_of_container(reader, &key);
  if (field && *field->item)
    field = find_item(reader, &key);
  if (field ? read_item(reader, &key, field) : read_unknown_item(reader, &key))
    end_entry(reader, "this item");
  else
    recover(reader);
}

/* ---- memory entries ---------------------------------------------------------------------------------------------- */

static const struct msl_field *find_extension(const struct msl_reader *reader) {
  for (unsigned i = MSL_BASE_FIELDS; i < msl_memory_field_count; i++)
    if (msl_token_is(reader, msl_memory_fields[i].key))
      return &msl_memory_fields[i];
  return NULL;
}

static bool parse_extension(struct msl_reader *reader, struct place_memory *memory, struct msl_draft *draft) {
  const struct msl_field *field = find_extension(reader);
  char found[64];
  if (!field) {
    msl_error(reader, reader->token.at, "a memory has no field %s", msl_token_text(reader, found, sizeof found));
    return false;
  }
  size_t *at = &draft->at[field - msl_memory_fields];
  if (*at)
    msl_error(reader, reader->token.at, "'%s' is given twice", field->key);
  *at = reader->token.at;
  msl_next(reader);
  msl_next(reader); /* = */
  return msl_parse_field(reader, field, memory, draft);
}

static bool parse_fields(struct msl_reader *reader, struct place_memory *memory, struct msl_draft *draft) {
  for (unsigned i = 0; i < MSL_BASE_FIELDS; i++) {
    draft->at[i] = reader->token.at;
    if (!msl_parse_field(reader, &msl_memory_fields[i], memory, draft))
      return false;
  }
  while (reader->token.kind == MSL_WORD && msl_assignment_ahead(reader))
    if (!parse_extension(reader, memory, draft))
      return false;
  return true;
}

static void parse_memory(struct msl_reader *reader) {
  if (reader->count == MSL_MAX_MEMORIES) {
    msl_error(reader, reader->token.at, "a machine has at most %d memories", MSL_MAX_MEMORIES);
    reader->broken = true;
    reader->pos = reader->len;
    msl_next(reader);
    return;
  }
  struct place_memory *memory = &reader->memories[reader->count];
  memory->name = memory->path_name = "";
  if (!parse_fields(reader, memory, &reader->drafts[reader->count])) {
    recover(reader);
    memset(memory, 0, sizeof *memory);
    memset(&reader->drafts[reader->count], 0, sizeof reader->drafts[0]);
    return;
  }
  reader->count++;
  end_entry(reader, "this entry");
}

void msl_parse(struct msl_reader *reader) {
  msl_lex_title(reader);
  msl_next(reader);
  while (reader->token.kind != MSL_END) {
    if (reader->token.kind != MSL_WORD) {
      msl_syntax(reader, "a processor item or the name of a memory");
      recover(reader);
    } else if (msl_assignment_ahead(reader)) {
      parse_item(reader);
    } else {
      parse_memory(reader);
    }
  }
}
