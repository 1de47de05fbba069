/*
 * probe_text.h - assembler text of probes: sled, row and facts.
 *
 * In: the unit, the function, the kind of probe.  Out: text for one asm statement; the backend escapes it for its
 * compiler's templates (prof_text_add_template for GCC).  The assembler file must have prof_probe_macros once, before
 * the first probe.
 */
#ifndef PROF_PLUGIN_PROBE_TEXT_H
#define PROF_PLUGIN_PROBE_TEXT_H

#include "unit.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

void prof_probe_macros(struct prof_text *text, const struct prof_arch *arch);

/* `kind`: enum prof_probe_kind with PROF_ROW_ flags; `line`: of the probe, 0 unknown. */
void prof_probe_add(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint32_t kind,
                    uint32_t line);

/* The same without the macro, for an assembler whose `\@` is not unique in a file; ends in LF.  `label`: of the sled.
 */
void prof_probe_add_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                          const struct prof_candidate *function, uint64_t key, uint32_t kind, uint32_t line);

/*
 * The same of a loop's probe; `loop`: its key.  The text ends with a comma.  The caller appends the value's register,
 * by its name in struct prof_arch, or `none` without PROF_ROW_HAS_VALUE.
 */
void prof_probe_add_loop(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint64_t loop,
                         uint32_t kind, uint32_t line);

/* The same without the macro.  `value`: the operand as above, or NULL.  Needs prof_probe_registers earlier in the
 * file. */
void prof_probe_add_loop_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                               const struct prof_candidate *function, uint64_t key, uint64_t loop, uint32_t kind,
                               uint32_t line, const char *value);

/*
 * A VALUE; `key`: its function's.  The text ends with a comma; the caller appends the value's register, by its name in
 * struct prof_arch.  Without the macro: `operand` names it; prof_probe_registers is needed as for loops.
 */
void prof_probe_add_value(struct prof_text *text, const struct prof_candidate *function, uint64_t key,
                          const struct prof_candidate_value *value, uint32_t line);
void prof_probe_add_value_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                                const struct prof_candidate *function, uint64_t key,
                                const struct prof_candidate_value *value, uint32_t line, const char *operand);

/* The text of a LINE's place (wire/times.h), and its symbol for LINEs. */
void prof_probe_place(struct prof_text *text, const char *label, const char *place);
/* A LINE; `place_label`: as given there.  With the macro, and without. */
void prof_probe_add_line(struct prof_text *text, const struct prof_candidate *function, uint64_t key, uint32_t kind,
                         uint32_t line, const char *place_label);
void prof_probe_add_line_plain(struct prof_text *text, const struct prof_arch *arch, const char *label,
                               const char *place_label, const struct prof_candidate *function, uint64_t key,
                               uint32_t kind, uint32_t line);

/* Absolute local symbols for the numbers of registers; prof_probe_macros has them too.  May be repeated. */
void prof_probe_registers(struct prof_text *text, const struct prof_arch *arch);

/*
 * The facts in the asm statement of a function's ENTRY probe: the function's, its loops', and the unit's if due.
 */
void prof_probe_add_facts(struct prof_text *text, struct prof_unit *unit, const struct prof_candidate *function,
                          uint64_t key, const struct prof_candidate_loop *loops, size_t loop_count);

#ifdef __cplusplus
}
#endif

#endif
