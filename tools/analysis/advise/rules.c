/*
 * tools/analysis/advise/rules.c - the rules of `prof advise`.  To add one: its file, and a row here.
 */
#include "analysis/advise/advice.h"

extern const struct prof_advice_rule prof_rule_quadratic;
extern const struct prof_advice_rule prof_rule_growing_calls;
extern const struct prof_advice_rule prof_rule_long_chains;
extern const struct prof_advice_rule prof_rule_allocation;
extern const struct prof_advice_rule prof_rule_repeated_length;
extern const struct prof_advice_rule prof_rule_small_writes;
extern const struct prof_advice_rule prof_rule_small_reads;
extern const struct prof_advice_rule prof_rule_held_lock;
extern const struct prof_advice_rule prof_rule_lock_convoy;
extern const struct prof_advice_rule prof_rule_imbalance;
extern const struct prof_advice_rule prof_rule_unequal_region;
extern const struct prof_advice_rule prof_rule_syncs;
extern const struct prof_advice_rule prof_rule_requests_in_turn;
extern const struct prof_advice_rule prof_rule_sleeps;
extern const struct prof_advice_rule prof_rule_busy_wait;
extern const struct prof_advice_rule prof_rule_not_vectorised;
extern const struct prof_advice_rule prof_rule_cold_stride;
extern const struct prof_advice_rule prof_rule_false_sharing;
extern const struct prof_advice_rule prof_rule_pageable_copies;
extern const struct prof_advice_rule prof_rule_tiny_calls;
extern const struct prof_advice_rule prof_rule_exceptions;

const struct prof_advice_rule *const prof_advice_rules[] = {
    &prof_rule_quadratic,        &prof_rule_growing_calls,
    &prof_rule_long_chains,      &prof_rule_allocation,
    &prof_rule_repeated_length,  &prof_rule_small_writes,
    &prof_rule_small_reads,      &prof_rule_held_lock,
    &prof_rule_lock_convoy,      &prof_rule_imbalance,
    &prof_rule_unequal_region,   &prof_rule_syncs,
    &prof_rule_requests_in_turn, &prof_rule_sleeps,
    &prof_rule_busy_wait,        &prof_rule_not_vectorised,
    &prof_rule_cold_stride,      &prof_rule_false_sharing,
    &prof_rule_pageable_copies,  &prof_rule_tiny_calls,
    &prof_rule_exceptions,       NULL,
};
