/* The program of the shape `shared`: everything that is recorded lies in the library. */
int matrix_main(int argc, char **argv);
int main(int argc, char **argv) {
  return matrix_main(argc, argv);
}
