// Code from a header: lines of it are another file's.
inline __device__ float root(float x) {
  float guess = x;
  for (int i = 0; i < 4; i++)
    guess = 0.5f * (guess + x / guess);
  return guess;
}
