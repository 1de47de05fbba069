/*
 * tools/estimate/profile_build.h - changing a profile after it was built.  For correct_sampled.c only.
 */
#ifndef PROF_ESTIMATE_PROFILE_BUILD_H
#define PROF_ESTIMATE_PROFILE_BUILD_H

#include "estimate/profile.h"

/* For what corrects a profile after it was built: its nodes, and all figures that follow from them.  false: no memory.
 */
struct prof_node *prof_profile_nodes_of(struct prof_profile *);
bool prof_profile_figures_anew(struct prof_profile *) PROF_MUST_CHECK;

#endif
