/* A library that joined.c loads and unloads. */
static volatile unsigned sum;

void plugged(int i) {
  for (int j = 0; j < 3; j++)
    sum += (unsigned)(i ^ j) * 2654435761u;
}
