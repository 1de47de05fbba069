/*
 * tools/viewer/html_page.c - see html_page.h.
 *
 * The policy in the head lets the page load nothing; names of the traced program are data only, never markup.
 */
#include "viewer/html_page.h"

#include <string.h>

#include "base/json.h"

static const char policy[] = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                             "img-src data: blob:";

bool prof_html_page_is_there(void) {
  return prof_page_script[0] != 0;
}

static void put_base64(FILE *file, const uint8_t *data, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    uint32_t bits = (uint32_t)data[i] << 16;
    bits |= i + 1 < count ? (uint32_t)data[i + 1] << 8 : 0;
    bits |= i + 2 < count ? data[i + 2] : 0;
    char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], i + 1 < count ? digits[bits >> 6 & 63] : '=',
                    i + 2 < count ? digits[bits & 63] : '='};
    fwrite(four, 1, sizeof four, file);
    if ((i + 3) % PROF_PAGE_LINE_DATA == 0)
      putc('\n', file);
  }
}

/* As text of an element; control bytes become blanks, bytes outside of ASCII are left out. */
static void put_text(FILE *file, const char *text) {
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte == '<' || byte == '>' || byte == '&')
      fprintf(file, "&#%u;", byte);
    else if (byte < 0x80)
      putc(byte < 0x20 || byte == 0x7f ? ' ' : byte, file);
  }
}

/* A file has its policy in the head, and the data; a server sends the policy. */
static void put_head(FILE *file, const struct prof_html_page *page) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", file);
  if (page->data)
    fprintf(file, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy);
  fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        file);
  put_text(file, page->title);
  fputs("</title>\n<style>\n", file);
  fputs(prof_page_style, file);
  fputs("</style>\n</head>\n", file);
}

void prof_html_page_write(FILE *file, const struct prof_html_page *page) {
  put_head(file, page);
  fputs("<body>\n<div id=\"app\"></div>\n"
        "<noscript>This page needs JavaScript. Without it: prof report, prof tree, prof flame.</noscript>\n",
        file);
  if (page->data) {
    fputs("<script id=\"prof-data\" type=\"application/octet-stream\">\n", file);
    put_base64(file, page->data, page->count);
    fputs("\n</script>\n<script>\n", file);
  } else {
    fprintf(file, "<script nonce=\"%s\">\n", page->nonce);
  }
  fputs(prof_page_script, file);
  fputs("</script>\n</body>\n</html>\n", file);
}
