/*
 * tools/viewer/html_page.h - one self-contained HTML file: the page's code, its style, and the data.
 *
 * In: packed data (view_data.h), a title.  Out: HTML in a FILE.  Nothing in it is loaded from elsewhere.
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

/* The title may have any bytes.  The caller checks the file for errors (ferror). */
void prof_html_page_write(FILE *, const char *title, const uint8_t *data, size_t count);

#endif
