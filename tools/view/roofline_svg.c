/*
 * tools/view/roofline_svg.c - see roofline_svg.h.
 */
#include "roofline_svg.h"

#include <math.h>

#include "flame_page.h"

enum { WIDTH = 900, HEIGHT = 560, LEFT = 70, RIGHT = 870, TOP = 50, BOTTOM = 500, LABELS = 8, LABEL_COLUMNS = 48 };

/* The part of the plane that is drawn: powers of ten. */
struct plane {
  FILE *file;
  double left, right, bottom, top; /* exponents */
};

static double x_of(const struct plane *plane, double intensity) {
  return LEFT + (log10(intensity) - plane->left) / (plane->right - plane->left) * (RIGHT - LEFT);
}

static double y_of(const struct plane *plane, double rate) {
  return BOTTOM - (log10(rate) - plane->bottom) / (plane->top - plane->bottom) * (BOTTOM - TOP);
}

/* Makes room for a point. */
static void widen(struct plane *plane, double intensity, double rate) {
  plane->left = fmin(plane->left, floor(log10(intensity)));
  plane->right = fmax(plane->right, floor(log10(intensity)) + 1);
  plane->bottom = fmin(plane->bottom, floor(log10(rate)));
  plane->top = fmax(plane->top, floor(log10(rate)) + 1);
}

static void find_plane(struct plane *plane, const struct prof_roofline *roofline) {
  double flops = roofline->peak_gflops, bytes = roofline->peak_gbytes;
  const struct prof_roofline_point *first = &roofline->points[0];
  plane->left = plane->right = floor(log10(first->intensity));
  plane->bottom = plane->top = floor(log10(first->rate));
  for (size_t i = 0; i < roofline->count; i++)
    widen(plane, roofline->points[i].intensity, roofline->points[i].rate);
  if (flops > 0 && bytes > 0) { /* where both roofs meet, and the lower end of the slanted one */
    widen(plane, flops / bytes, flops);
    widen(plane, pow(10, plane->left), bytes * pow(10, plane->left));
  }
}

static void draw_axes(const struct plane *plane) {
  FILE *file = plane->file;
  for (double at = plane->left; at <= plane->right + 0.5; at++) {
    double x = x_of(plane, pow(10, at));
    fprintf(file, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x, BOTTOM);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, BOTTOM + 18, pow(10, at));
  }
  for (double at = plane->bottom; at <= plane->top + 0.5; at++) {
    double y = y_of(plane, pow(10, at));
    fprintf(file, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, RIGHT, y);
    fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6, y + 4, pow(10, at));
  }
  fprintf(file,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">floating-point operations per byte loaded or stored</text>\n"
          "<text x=\"%d\" y=\"%d\">GFLOP/s</text>\n",
          (LEFT + RIGHT) / 2, BOTTOM + 40, LEFT - 50, TOP - 12);
}

static void draw_roof(const struct plane *plane, double intensity1, double rate1, double intensity2, double rate2) {
  fprintf(plane->file, "<line class=\"roof\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
          x_of(plane, intensity1), y_of(plane, rate1), x_of(plane, intensity2), y_of(plane, rate2));
}

static void draw_roofs(const struct plane *plane, double flops, double bytes) {
  double left = pow(10, plane->left), right = pow(10, plane->right), ridge = flops / bytes, middle = sqrt(left * ridge);
  draw_roof(plane, left, bytes * left, ridge, flops);
  draw_roof(plane, ridge, flops, right, flops);
  fprintf(plane->file,
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.3g GB/s</text>\n"
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g GFLOP/s</text>\n",
          x_of(plane, middle) - 8, y_of(plane, bytes * middle) - 8, bytes, RIGHT - 4, y_of(plane, flops) - 8, flops);
}

static void draw_point(const struct plane *plane, const struct prof_roofline_point *point, bool has_label) {
  FILE *file = plane->file;
  double x = x_of(plane, point->intensity), y = y_of(plane, point->rate), radius = 4 + 16 * sqrt(point->share);
  fprintf(file, "<g><title>");
  prof_flame_text(file, point->name, 0);
  fprintf(file, ": %.3g GFLOP/s, %.3g operations per byte, %.1f%% of the time</title>", point->rate, point->intensity,
          100 * point->share);
  fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", x, y, radius);
  if (has_label) {
    bool is_right = x > (LEFT + RIGHT) / 2.0;
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\"%s>", is_right ? x - radius - 4 : x + radius + 4, y + 4,
            is_right ? " text-anchor=\"end\"" : "");
    prof_flame_text(file, point->name, LABEL_COLUMNS);
    fputs("</text>", file);
  }
  fputs("</g>\n", file);
}

void prof_roofline_svg(FILE *file, const struct prof_roofline *roofline) {
  struct plane plane = {.file = file};
  find_plane(&plane, roofline);
  fprintf(file,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
          "font-size=\"12\">\n"
          "<style>.grid{stroke:#ddd}.roof{stroke:#222;stroke-width:2}"
          "circle{fill:#e69f00;fill-opacity:.7;stroke:#8a5f00}</style>\n"
          "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
          "<text x=\"%d\" y=\"20\" font-size=\"15\" text-anchor=\"middle\">Loops: operations per byte and per second"
          "</text>\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH / 2);
  draw_axes(&plane);
  if (roofline->peak_gflops > 0 && roofline->peak_gbytes > 0)
    draw_roofs(&plane, roofline->peak_gflops, roofline->peak_gbytes);
  for (size_t i = 0; i < roofline->count; i++)
    draw_point(&plane, &roofline->points[i], i < LABELS);
  fputs("</svg>\n", file);
}
