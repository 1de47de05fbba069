/* double_other_version.c - a runtime of another version: it has no entry point of this one. */
void prof_runtime_attach_v9(void);
void prof_runtime_attach_v9(void) {}
