/*
 * tools/viewer/html_page.h - the page as HTML: its code, its style, and in a file the data too.
 *
 * In: packed data (view_data.h), a title.  Out: HTML in a FILE.  It loads nothing, but data from its server, if any.
 */
#ifndef PROF_VIEWER_HTML_PAGE_H
#define PROF_VIEWER_HTML_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The data stands in lines of base64: bytes of data in one, and what it takes in the file at most. */
#define PROF_PAGE_LINE_DATA 57
#define PROF_PAGE_LINE_BYTES 78

/* Made by the build from viewer/ at the top of the tree; empty where esbuild or a library was missing. */
extern const char prof_page_script[], prof_page_style[];

/* false: this prof was built without the page. */
bool prof_html_page_is_there(void);

struct prof_html_page {
  const char *title;   /* any bytes */
  const uint8_t *data; /* packed; NULL: the page asks the server that it comes from */
  size_t count;
  const char *nonce; /* of the server's policy, without data */
};

/* The caller checks the file for errors (ferror). */
void prof_html_page_write(FILE *, const struct prof_html_page *);

#endif
