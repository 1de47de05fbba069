/* data.c - a unit without a function: no probe is missing in it. */
extern int only_data[4];
int only_data[4] = {1, 2};
