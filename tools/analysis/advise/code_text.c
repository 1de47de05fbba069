/*
 * tools/analysis/advise/code_text.c - see code_text.h.
 */
#include "analysis/advise/code_text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 4, MNEMONIC_BYTES = 16 };

struct operand {
  const char *text;
  size_t bytes;
};

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

/* The number of a general register, "eax", "r10d"; PROF_NO_REGISTER: another one. */
static uint8_t register_of(const char *name, size_t bytes) {
  static const char *const stems[16] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  static const char *const lows[4] = {"al", "cl", "dl", "bl"};
  if (bytes == 3 && !strncmp(name, "rip", 3))
    return PROF_REGISTER_RIP;
  if (bytes >= 2 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {
    long number = strtol(name + 1, NULL, 10);
    return number >= 8 && number <= 15 ? (uint8_t)number : PROF_NO_REGISTER;
  }
  size_t skip = bytes == 3 && (name[0] == 'r' || name[0] == 'e') ? 1 : 0;
  if (bytes == 3 && skip == 0 && name[2] == 'l') /* sil, dil, bpl, spl */
    bytes = 2;
  for (uint8_t i = 0; i < 8; i++)
    if (bytes - skip == 2 && !strncmp(name + skip, stems[i], 2))
      return i;
  for (uint8_t i = 0; i < 4; i++)
    if (bytes == 2 && !strncmp(name, lows[i], 2))
      return i;
  return PROF_NO_REGISTER;
}

static uint8_t operand_register(const struct operand *operand) {
  return operand->bytes > 1 && operand->text[0] == '%' ? register_of(operand->text + 1, operand->bytes - 1)
                                                       : PROF_NO_REGISTER;
}

static bool is_memory(const struct operand *operand) {
  return operand->text[0] != '$' && memchr(operand->text, '(', operand->bytes) != NULL;
}

/* Splits "0x8(%rbx,%rcx,4),%eax" at the commas outside of brackets. */
static size_t split(const char *text, struct operand operands[MOST_OPERANDS]) {
  size_t count = 0, depth = 0;
  const char *begin = text;
  for (const char *at = text;; at++) {
    bool ends = !*at || *at == ' ' || *at == '#' || *at == '<';
    depth += *at == '(';
    depth -= *at == ')' && depth > 0;
    if (!ends && !(*at == ',' && depth == 0))
      continue;
    if (at > begin && count < MOST_OPERANDS)
      operands[count++] = (struct operand){begin, (size_t)(at - begin)};
    if (ends)
      return count;
    begin = at + 1;
  }
}

static void read_memory(const struct operand *operand, struct prof_code_facts *out) {
  const char *at = memchr(operand->text, '(', operand->bytes), *end = operand->text + operand->bytes;
  uint8_t *into[] = {&out->base, &out->index};
  for (size_t i = 0; i < 2 && at && ++at < end && *at == '%'; i++) {
    size_t bytes = strcspn(at + 1, ",)");
    *into[i] = register_of(at + 1, bytes);
    at = memchr(at, ',', (size_t)(end - at));
  }
  out->scale = at && at + 1 < end && at[1] >= '1' && at[1] <= '8' ? (uint8_t)(at[1] - '0') : 1;
}

static void read_symbol(const char *text, struct prof_code_facts *out) {
  const char *open = strrchr(text, '<');
  /* C++ names have brackets themselves: the symbol begins behind a blank. */
  for (const char *at = text; (at = strstr(at, " <")); at++) {
    open = at + 1;
    break;
  }
  if (!open)
    return;
  out->symbol = open + 1;
  out->symbol_bytes = strcspn(open + 1, "@+>");
}

static const char *const flag_writers[] = {"cmp",    "test",  "ucomis", "comis", "vucomis",
                                           "vcomis", "ptest", "vptest", "bt"};

static bool only_flags(const char *mnemonic) {
  for (size_t i = 0; i < sizeof flag_writers / sizeof *flag_writers; i++)
    if (begins(mnemonic, flag_writers[i]) && strcmp(mnemonic, "bts") != 0 && strcmp(mnemonic, "btr") != 0 &&
        strcmp(mnemonic, "btc") != 0 && !begins(mnemonic, "cmpxchg"))
      return !begins(mnemonic, "cmpp"); /* packed compares write a mask */
  return false;
}

static bool only_moves(const char *mnemonic) {
  return begins(mnemonic, "mov") && !begins(mnemonic, "movmsk");
}

static void read_destination(const char *mnemonic, const struct operand *operands, size_t count,
                             struct prof_code_facts *out) {
  const struct operand *last = &operands[count - 1];
  bool is_lea = begins(mnemonic, "lea");
  for (size_t i = 0; i < count; i++) {
    if (!is_memory(&operands[i]))
      continue;
    read_memory(&operands[i], out);
    bool is_last = i + 1 == count, alone = count == 1;
    if (is_lea)
      continue;
    out->writes_memory |= is_last && !out->compares && !begins(mnemonic, "push") && !begins(mnemonic, "j") &&
                          !(alone && (begins(mnemonic, "mul") || begins(mnemonic, "div") || begins(mnemonic, "idiv") ||
                                      begins(mnemonic, "imul")));
    out->reads_memory |= !is_last || !only_moves(mnemonic);
  }
  if (count > 1)
    out->from = operand_register(&operands[0]);
  if (!out->compares)
    out->written = operand_register(last);
  out->moves = only_moves(mnemonic) && out->written != PROF_NO_REGISTER && count == 2;
  out->is_wide = out->moves && last->text[1] == 'r' && (!mnemonic[3] || !strcmp(mnemonic, "movq"));
  if (operands[0].text[0] == '$' && count == 2 && out->written != PROF_NO_REGISTER &&
      (begins(mnemonic, "add") || begins(mnemonic, "sub"))) {
    uint64_t value = strtoull(operands[0].text + 1, NULL, 16);
    out->adds_constant = true;
    out->constant = begins(mnemonic, "sub") ? -(int64_t)value : (int64_t)value;
  }
  if (is_lea && out->base == out->written && out->index == PROF_NO_REGISTER) {
    char *end;
    bool negative = operands[0].text[0] == '-';
    uint64_t value = strtoull(operands[0].text + negative, &end, 16);
    out->adds_constant = true;
    out->constant = negative ? -(int64_t)value : (int64_t)value;
  }
}

void prof_code_read_text(const char *text, struct prof_code_facts *out) {
  char mnemonic[MNEMONIC_BYTES] = "";
  struct operand operands[MOST_OPERANDS];
  *out = (struct prof_code_facts){
      .base = PROF_NO_REGISTER, .index = PROF_NO_REGISTER, .from = PROF_NO_REGISTER, .written = PROF_NO_REGISTER};
  for (;;) { /* prefixes */
    size_t bytes = strcspn(text, " \t");
    size_t kept = bytes < sizeof mnemonic - 1 ? bytes : sizeof mnemonic - 1;
    memcpy(mnemonic, text, kept);
    mnemonic[kept] = 0;
    text += bytes + strspn(text + bytes, " \t");
    bool prefix = !strcmp(mnemonic, "lock") || begins(mnemonic, "rep") || !strcmp(mnemonic, "bnd") ||
                  !strcmp(mnemonic, "notrack") || !strcmp(mnemonic, "data16") || !strcmp(mnemonic, "cs");
    out->is_locked |= !strcmp(mnemonic, "lock");
    if (!prefix || !*text)
      break;
  }
  out->is_jump = mnemonic[0] == 'j' || begins(mnemonic, "loop");
  out->is_call = begins(mnemonic, "call");
  out->is_return = begins(mnemonic, "ret") || begins(mnemonic, "iret");
  out->is_idle = begins(mnemonic, "nop") || !strcmp(mnemonic, "pause") || !strcmp(mnemonic, "endbr64");
  out->compares = only_flags(mnemonic);
  read_symbol(text, out);
  if (out->is_jump || out->is_call) {
    char *end;
    uint64_t target = strtoull(text, &end, 16);
    out->target = end > text && (*end == ' ' || !*end) ? target : 0;
    return;
  }
  const char *comment = strstr(text, "# ");
  out->data = comment ? strtoull(comment + 2, NULL, 16) : 0;
  size_t count = out->is_idle || out->is_return ? 0 : split(text, operands);
  if (count)
    read_destination(mnemonic, operands, count, out);
  if (begins(mnemonic, "xchg") && out->writes_memory)
    out->is_locked = true;
}

/* Multiplications and divisions write rax and rdx, a call every register that a callee may change. */
bool prof_code_writes(const struct prof_code_facts *facts, uint8_t general) {
  static const bool kept[16] = {
      [3] = true, [PROF_REGISTER_RSP] = true, [PROF_REGISTER_RBP] = true, [12] = true, [13] = true, [14] = true,
      [15] = true};
  if (facts->is_call)
    return general < 16 && !kept[general];
  return facts->written == general;
}
