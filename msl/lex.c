/* From text to tokens, one at a time. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool starts_with(const struct msl_reader *reader, size_t at, const char *string) {
  size_t len = strlen(string);
  return reader->len - at >= len && !memcmp(reader->text + at, string, len);
}

static size_t skip_blank(const struct msl_reader *reader, size_t at) {
  while (at < reader->len) {
    if (is_space(reader->text[at]))
      at++;
    else if (starts_with(reader, at, "//"))
      while (at < reader->len && reader->text[at] != '\n')
        at++;
    else
      break;
  }
  return at;
}

static size_t word_end(const struct msl_reader *reader, size_t at) {
  while (at < reader->len && (is_letter(reader->text[at]) || is_digit(reader->text[at])))
    at++;
  return at;
}

/* A unit may be a rate: /clk or /s follows at once, as a whole word. */
static size_t suffix_end(const struct msl_reader *reader, size_t at) {
  size_t end = word_end(reader, at);
  if (end == at)
    return end;
  static const char *const rates[] = {"/clk", "/s"};
  for (unsigned i = 0; i < 2; i++) {
    size_t after = end + strlen(rates[i]);
    if (starts_with(reader, end, rates[i]) && word_end(reader, after) == after)
      return after;
  }
  return end;
}

static void lex_number(struct msl_reader *reader, struct msl_token *token) {
  size_t at = token->at;
  while (at < reader->len && is_digit(reader->text[at]))
    at++;
  if (at + 1 < reader->len && reader->text[at] == '.' && is_digit(reader->text[at + 1]))
    for (at++; at < reader->len && is_digit(reader->text[at]);)
      at++;
  token->kind = MSL_NUMBER;
  token->suffix = at;
  token->end = suffix_end(reader, at);
}

static void lex_operator(struct msl_reader *reader, struct msl_token *token) {
  static const struct { const char *text; enum msl_token_kind kind; } operators[] = {
      {"==", MSL_EQ}, {"!=", MSL_NE}, {"<=", MSL_LE}, {">=", MSL_GE}, {"&&", MSL_ANDAND}, {"||", MSL_OROR},
      {"=", MSL_ASSIGN}, {";", MSL_SEMICOLON}, {"<", MSL_OPEN}, {">", MSL_CLOSE}, {"{", MSL_LBRACE},
      {"}", MSL_RBRACE}, {"(", MSL_LPAREN}, {")", MSL_RPAREN}, {"?", MSL_QUESTION}, {"~", MSL_TILDE}, {"+", MSL_PLUS},
      {"-", MSL_MINUS}, {"*", MSL_STAR}, {"/", MSL_SLASH}, {"%", MSL_PERCENT}, {"!", MSL_BANG},
      {"\u230A", MSL_LFLOOR}, {"\u230B", MSL_RFLOOR}, {"\u2260", MSL_NE}, {"\u2264", MSL_LE}, {"\u2265", MSL_GE}};
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (starts_with(reader, token->at, operators[i].text)) {
      token->kind = operators[i].kind;
      token->end = token->at + strlen(operators[i].text);
      return;
    }
  token->kind = MSL_BAD;
  token->end = token->at + 1;
  while (token->end < reader->len && ((unsigned char)reader->text[token->end] & 0xC0) == 0x80)
    token->end++;
}

static void report_bad(struct msl_reader *reader, const struct msl_token *token) {
  unsigned char byte = (unsigned char)reader->text[token->at];
  if (byte > ' ' && byte < 0x7f)
    msl_error(reader, token->at, "'%c' is not part of the language", byte);
  else
    msl_error(reader, token->at, "this character is not part of the language");
}

static bool lex_token(struct msl_reader *reader) {
  struct msl_token *token = &reader->token;
  token->at = skip_blank(reader, reader->pos);
  token->suffix = 0;
  if (token->at >= reader->len) {
    token->kind = MSL_END;
    token->at = token->end = reader->len;
  } else if (is_letter(reader->text[token->at])) {
    token->kind = MSL_WORD;
    token->end = word_end(reader, token->at);
  } else if (is_digit(reader->text[token->at])) {
    lex_number(reader, token);
  } else {
    lex_operator(reader, token);
  }
  reader->pos = token->end;
  return token->kind != MSL_BAD;
}

/* Says what is not part of the language, once for a run of such characters, and goes on behind it. */
void msl_next(struct msl_reader *reader) {
  reader->last_end = reader->token.end;
  for (size_t said_until = SIZE_MAX; !lex_token(reader); said_until = reader->token.end) {
    if (reader->token.at != said_until)
      report_bad(reader, &reader->token);
    reader->broken = true;
  }
}

bool msl_assignment_ahead(const struct msl_reader *reader) {
  size_t at = skip_blank(reader, reader->pos);
  return starts_with(reader, at, "=") && !starts_with(reader, at, "==");
}

bool msl_token_is(const struct msl_reader *reader, const char *word) {
  const struct msl_token *token = &reader->token;
  return token->kind == MSL_WORD && strlen(word) == token->end - token->at &&
         !memcmp(reader->text + token->at, word, token->end - token->at);
}

const char *msl_token_text(const struct msl_reader *reader, char *buffer, size_t bytes) {
  const struct msl_token *token = &reader->token;
  if (token->kind == MSL_END) {
    snprintf(buffer, bytes, "the end of the file");
    return buffer;
  }
  size_t len = token->end - token->at;
  if (len > 40)
    len = 40;
  snprintf(buffer, bytes, "'%.*s'", (int)len, reader->text + token->at);
  return buffer;
}

const char *msl_token_string(struct msl_reader *reader) {
  size_t len = reader->token.end - reader->token.at;
  char *copy = msl_arena_get(reader->arena, len + 1);
  if (!copy) {
    reader->out_of_memory = true;
    return "";
  }
  memcpy(copy, reader->text + reader->token.at, len);
  return copy;
}

/* ---- the title: Mem spec of NAME: -------------------------------------------------------------------------------- */

static size_t match_title(const struct msl_reader *reader, size_t at) {
  static const char *const words[] = {"Mem", "spec", "of"};
  for (unsigned i = 0; i < 3; i++) {
    if (!starts_with(reader, at, words[i]) || word_end(reader, at) != at + strlen(words[i]))
      return 0;
    at += strlen(words[i]);
    while (at < reader->len && (reader->text[at] == ' ' || reader->text[at] == '\t'))
      at++;
  }
  return at;
}

static size_t title_line_end(const struct msl_reader *reader, size_t at) {
  while (at < reader->len && reader->text[at] != '\n' && !starts_with(reader, at, "//"))
    at++;
  while (is_space(reader->text[at - 1]))
    at--;
  return at;
}

static void keep_title(struct msl_reader *reader, size_t from, size_t to) {
  while (to > from && is_space(reader->text[to - 1]))
    to--;
  for (size_t i = from; i < to; i++)
    if (reader->text[i] < ' ' || reader->text[i] > '~') {
      msl_error(reader, i, "a machine's name has printable ASCII characters only");
      return;
    }
  char *name = msl_arena_get(reader->arena, to - from + 1);
  if (!name) {
    reader->out_of_memory = true;
    return;
  }
  memcpy(name, reader->text + from, to - from);
  reader->machine->name = name;
}

void msl_lex_title(struct msl_reader *reader) {
  size_t at = skip_blank(reader, reader->pos);
  size_t from = match_title(reader, at);
  if (!from)
    return;
  size_t end = title_line_end(reader, from);
  reader->pos = end;
  if (end <= from || reader->text[end - 1] != ':')
    msl_error(reader, end, "expected ':' at the end of the title");
  else
    keep_title(reader, from, end - 1);
}
