/*
 * tools/tui/terminal.c - see terminal.h.
 *
 * Source: ncurses(3NCURSES), signal-safety(7).  A handler writes what ncurses would write at the end, prepared
 * beforehand, and sets the modes of before: tcsetattr and write are safe there, ncurses isn't.
 * SIGWINCH is blocked but while prof waits for a key (ppoll): one that came between drawing and reading would be seen
 * only at the next key.  SIGTSTP has a handler of ours, blocked within ncurses: that of ncurses ignores the signal
 * while it draws, so a ^Z then would be lost.  During something slow nobody draws after a stop: the handler itself
 * takes the terminal again, so that Escape is read as a key and the note is there.
 */
#ifdef PROF_HAS_NCURSES

#include "terminal.h"

#include <curses.h>
#include <term.h>
/* Macros of term.h that are words of ours. */
#undef lines
#undef columns

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "keys.h"

#define SEQUENCE_BYTES 512
#define ESCAPE 27
#define NS_PER_SECOND 1000000000u
#define MOST_ERRORS 20 /* times that input is there, but no key comes of it */

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define FATAL_COUNT (sizeof fatal / sizeof *fatal)

struct sequence { /* of bytes for the terminal */
  char bytes[SEQUENCE_BYTES];
  size_t count;
};

static struct { /* the terminal that is open; the handler reads it */
  SCREEN *screen;
  struct termios before, ours;
  struct sequence end;
  struct sequence again;       /* takes the terminal again during something slow; empty: nothing is */
  volatile sig_atomic_t taken; /* by that */
  struct sigaction old[FATAL_COUNT], old_resize, old_stop;
  sigset_t mask;                 /* of before */
  sigset_t working;              /* that, and SIGWINCH */
  sigset_t drawing;              /* that, and SIGTSTP: while ncurses works */
  volatile sig_atomic_t stopped; /* and continued: the screen is to be drawn again */
  bool utf8;
} terminal;

/* ---- the end ---- */

/* Safe in a handler, as the next two. */
static void put_sequence(const struct sequence *sequence) {
  size_t done = 0;
  while (done < sequence->count) {
    ssize_t bytes = write(STDOUT_FILENO, sequence->bytes + done, sequence->count - done);
    if (bytes <= 0)
      break;
    done += (size_t)bytes;
  }
}

/* Gives the terminal back as it was. */
static void give_back(void) {
  put_sequence(&terminal.end);
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
}

static bool is_in_foreground(void) {
  return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static void take_again(void) {
  if (!terminal.again.count || !is_in_foreground())
    return;
  tcgetattr(STDIN_FILENO, &terminal.before); /* the user may have changed them meanwhile */
  put_sequence(&terminal.again);
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal.ours);
  terminal.taken = 1;
}

static void die(int number) {
  give_back();
  raise(number); /* SA_RESETHAND: by default now */
}

static void arm_stop(void);

static void stop(int number) {
  int kept = errno;
  give_back();
  raise(number); /* SA_RESETHAND: this stops prof until SIGCONT */
  arm_stop();
  take_again();
  terminal.stopped = 1;
  errno = kept;
}

static void arm_stop(void) {
  struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTSTP, &action, NULL);
}

/* Begins what may not be interrupted by a stop. */
static void begin_drawing(void) {
  sigprocmask(SIG_SETMASK, &terminal.drawing, NULL);
  terminal.again.count = 0;
  if (!terminal.stopped)
    return;
  terminal.stopped = 0;
  if (is_in_foreground()) { /* in the background the modes are the shell's */
    if (terminal.taken)
      tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
    else
      tcgetattr(STDIN_FILENO, &terminal.before);
    def_shell_mode();
  }
  terminal.taken = 0;
  endwin(); /* the next refresh takes the terminal again */
  clearok(curscr, TRUE);
  refresh();
}

static void end_drawing(void) {
  sigprocmask(SIG_SETMASK, &terminal.working, NULL);
}

static struct sequence *kept_in;

static int keep_byte(int byte) {
  if (kept_in->count < SEQUENCE_BYTES)
    kept_in->bytes[kept_in->count++] = (char)byte;
  return byte;
}

/* parts: of the terminal's description, "" and NULL are none. */
static void prepare(struct sequence *sequence, char *const *parts, size_t count) {
  sigset_t all, kept;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &kept); /* no handler writes half of it */
  kept_in = sequence;
  sequence->count = 0;
  for (size_t i = 0; i < count; i++)
    if (parts[i] && parts[i] != (char *)-1)
      tputs(parts[i], 1, keep_byte);
  sigprocmask(SIG_SETMASK, &kept, NULL);
}

static char *last_line(void) {
  return cursor_address ? tparm(cursor_address, LINES - 1, 0, 0, 0, 0, 0, 0, 0, 0) : NULL;
}

/* Prepares what a handler writes for a screen of LINES: plain text, the cursor visible and on the last line, keys as
 * before, the screen as before. */
static void prepare_end(void) {
  char *const parts[] = {exit_attribute_mode, orig_pair, cursor_normal, keypad_local, last_line(), exit_ca_mode};
  prepare(&terminal.end, parts, sizeof parts / sizeof *parts);
}

/* And what it writes after a stop: an empty screen with a note, as prof_tui_terminal_note has it. */
static void prepare_again(const char *note) {
  char *const parts[] = {enter_ca_mode, keypad_xmit, clear_screen, cursor_invisible, last_line(), enter_reverse_mode};
  prepare(&terminal.again, parts, sizeof parts / sizeof *parts);
  kept_in = &terminal.again;
  for (int i = 0; note[i] && i < COLS - 1; i++)
    keep_byte(note[i]);
  tputs(exit_attribute_mode ? exit_attribute_mode : "", 1, keep_byte);
}

static void catch_signals(void) {
  for (size_t i = 0; i < FATAL_COUNT; i++) {
    struct sigaction action = {.sa_handler = die, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(fatal[i], NULL, &terminal.old[i]);
    bool ignored = terminal.old[i].sa_handler == SIG_IGN; /* as under nohup */
    if (!ignored)
      sigaction(fatal[i], &action, NULL);
  }
}

static void resized(int number) {
  (void)number; /* it ends the wait */
}

static void catch_resizes(void) {
  struct sigaction action = {.sa_handler = resized};
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, &terminal.old_resize);
}

/* Before newterm, which takes SIGTSTP where nobody has it. */
static void take_stops(void) {
  sigprocmask(SIG_BLOCK, NULL, &terminal.mask);
  terminal.working = terminal.mask;
  sigaddset(&terminal.working, SIGWINCH);
  terminal.drawing = terminal.working;
  sigaddset(&terminal.drawing, SIGTSTP);
  sigprocmask(SIG_SETMASK, &terminal.drawing, NULL);
  sigaction(SIGTSTP, NULL, &terminal.old_stop);
  if (terminal.old_stop.sa_handler != SIG_IGN) /* a shell without jobs */
    arm_stop();
}

static void release_stops(void) {
  sigaction(SIGTSTP, &terminal.old_stop, NULL);
  sigprocmask(SIG_SETMASK, &terminal.mask, NULL);
}

static void release_signals(void) {
  for (size_t i = 0; i < FATAL_COUNT; i++)
    sigaction(fatal[i], &terminal.old[i], NULL);
  sigaction(SIGWINCH, &terminal.old_resize, NULL);
  release_stops();
}

/* ---- the beginning ---- */

static prof_status no_terminal(struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, PROF_TUI_REMEDY,
                        "prof tui needs a terminal; standard %s is none", isatty(STDOUT_FILENO) ? "input" : "output");
}

static void begin_colors(bool color) {
  if (!color || !has_colors() || start_color() == ERR)
    return;
  short paper = use_default_colors() == OK ? -1 : COLOR_BLACK, ink = paper == -1 ? -1 : COLOR_WHITE;
  init_pair(PROF_TUI_HOT, COLOR_RED, paper); /* red is readable on light and dark paper */
  init_pair(PROF_TUI_WARM, COLOR_MAGENTA, paper);
  init_pair(PROF_TUI_WARNING, COLOR_RED, paper);
  init_pair(PROF_TUI_PLAIN + PROF_TUI_STYLES, ink, paper);
}

prof_status prof_tui_terminal_check(struct prof_diag *diag) {
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? PROF_OK : no_terminal(diag);
}

/* Is the terminal's type known, and can its cursor be moved? */
static bool is_able(void) {
  const char *type = getenv("TERM");
  int error;
  if (!type || !type[0] || setupterm(NULL, STDOUT_FILENO, &error) != OK)
    return false;
  bool able = cursor_address != NULL;
  del_curterm(cur_term);
  return able;
}

prof_status prof_tui_terminal_open(bool color, struct prof_diag *diag) {
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &terminal.before))
    return no_terminal(diag);
  use_env(TRUE);
  use_tioctl(TRUE);
  take_stops();
  terminal.screen = is_able() ? newterm(NULL, stdout, stdin) : NULL;
  if (!terminal.screen) {
    const char *type = getenv("TERM");
    release_stops();
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "set TERM, as in TERM=xterm; or " PROF_TUI_REMEDY,
                          "prof tui can't draw on a terminal of type '%s'", type ? type : "");
  }
  terminal.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
  prepare_end();
  catch_signals();
  catch_resizes();
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE); /* wait_for_key waits */
  set_escdelay(25);
  leaveok(stdscr, FALSE);
  begin_colors(color);
  tcgetattr(STDIN_FILENO, &terminal.ours);
  end_drawing();
  return PROF_OK;
}

void prof_tui_terminal_close(void) {
  if (!terminal.screen)
    return;
  begin_drawing();
  endwin();
  release_signals();
  delscreen(terminal.screen);
  terminal.screen = NULL;
}

/* ---- drawing ---- */

void prof_tui_terminal_size(size_t *width, size_t *height) {
  *width = (size_t)COLS;
  *height = (size_t)LINES;
}

static attr_t attributes_of(const struct prof_tui_line *line) {
  static const attr_t attributes[PROF_TUI_STYLES] = {[PROF_TUI_WARNING] = A_BOLD,
                                                     [PROF_TUI_TITLES] = A_BOLD | A_UNDERLINE,
                                                     [PROF_TUI_HOT] = A_BOLD,
                                                     [PROF_TUI_FOOTER] = A_REVERSE};
  bool colored = line->style == PROF_TUI_HOT || line->style == PROF_TUI_WARM || line->style == PROF_TUI_WARNING;
  attr_t result = attributes[line->style] | (line->cursor ? A_REVERSE : 0);
  return colored && has_colors() ? result | (attr_t)COLOR_PAIR(line->style) : result;
}

/* Without UTF-8 other characters are shown as ?. */
static void put_text(const char *text) {
  if (terminal.utf8) {
    addstr(text);
    return;
  }
  for (const char *at = text; *at; at++)
    if (((unsigned char)*at & 0xc0) != 0x80)
      addch((unsigned char)*at < 0x80 ? (chtype)(unsigned char)*at : '?');
}

static void put_line(size_t y, const struct prof_tui_line *line) {
  attr_t attributes = attributes_of(line);
  bool filled = line->cursor || line->style == PROF_TUI_FOOTER || line->style == PROF_TUI_TITLES;
  move((int)y, 0);
  attrset(attributes);
  put_text(line->text ? line->text : "");
  for (int x = getcurx(stdscr); filled && getcury(stdscr) == (int)y && x < COLS - (y + 1 == (size_t)LINES); x++)
    addch(' '); /* the last cell of the last line would scroll */
  attrset(A_NORMAL);
}

void prof_tui_terminal_draw(const struct prof_tui_screen *screen) {
  size_t row = 0;
  begin_drawing();
  erase();
  for (size_t y = 0; y < screen->height && y < (size_t)LINES; y++) {
    put_line(y, &screen->lines[y]);
    row = screen->lines[y].cursor ? y : row;
  }
  bool prompts = screen->prompt_column != SIZE_MAX;
  curs_set(prompts ? 1 : 0);
  move(prompts ? (int)screen->height - 1 : (int)row, prompts ? (int)screen->prompt_column : 0);
  refresh();
  end_drawing();
}

void prof_tui_terminal_note(const char *text) {
  begin_drawing();
  move(LINES - 1, 0);
  clrtoeol();
  attrset(A_REVERSE);
  addnstr(text, COLS - 1);
  attrset(A_NORMAL);
  refresh();
  prepare_again(text);
  end_drawing();
}

/* ---- keys ---- */

static const struct {
  int code, key;
} keys[] = {
    {KEY_UP, PROF_TUI_KEY_UP},
    {KEY_DOWN, PROF_TUI_KEY_DOWN},
    {KEY_LEFT, PROF_TUI_KEY_LEFT},
    {KEY_RIGHT, PROF_TUI_KEY_RIGHT},
    {KEY_PPAGE, PROF_TUI_KEY_PAGE_UP},
    {KEY_NPAGE, PROF_TUI_KEY_PAGE_DOWN},
    {KEY_HOME, PROF_TUI_KEY_HOME},
    {KEY_END, PROF_TUI_KEY_END},
    {KEY_ENTER, PROF_TUI_KEY_ENTER},
    {'\r', PROF_TUI_KEY_ENTER},
    {'\n', PROF_TUI_KEY_ENTER},
    {ESCAPE, PROF_TUI_KEY_ESCAPE},
    {KEY_BACKSPACE, PROF_TUI_KEY_ERASE},
    {127, PROF_TUI_KEY_ERASE},
    {8, PROF_TUI_KEY_ERASE},
    {KEY_RESIZE, PROF_TUI_INPUT_RESIZED},
};

/* Takes the terminal's size if it is another than ncurses knows. */
static bool take_size(void) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
      !is_term_resized(size.ws_row, size.ws_col))
    return false;
  bool taken = resizeterm(size.ws_row, size.ws_col) == OK;
  prepare_end();
  return taken;
}

enum wake { WAKE_INPUT, WAKE_SIGNAL, WAKE_GONE, WAKE_TIME };

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* Waits for a byte, a signal, the end of the terminal, or until a time of that clock; 0: for ever. */
static enum wake wait_for_key(uint64_t until_ns) {
  uint64_t now = until_ns ? now_ns() : 0, left = until_ns > now ? until_ns - now : 0;
  const struct timespec most = {(time_t)(left / NS_PER_SECOND), (long)(left % NS_PER_SECOND)};
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  sigset_t mask = terminal.mask;
  sigdelset(&mask, SIGWINCH);
  sigdelset(&mask, SIGTSTP);
  int ready = ppoll(&input, 1, until_ns ? &most : NULL, &mask);
  if (ready < 0)
    return errno == EINTR ? WAKE_SIGNAL : WAKE_GONE;
  if (ready == 0)
    return WAKE_TIME;
  return input.revents & (POLLHUP | POLLERR | POLLNVAL) ? WAKE_GONE : WAKE_INPUT;
}

#define MOST_AHEAD 32

static struct { /* keys that were pressed during something slow */
  pthread_mutex_t lock;
  char keys[MOST_AHEAD];
  size_t count;
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Several bytes at once are the sequence of one key: they are left to ncurses. */
bool prof_tui_terminal_escaped(void) {
  bool escaped = false;
  int bytes = 0;
  char key;
  pthread_mutex_lock(&ahead.lock);
  while (!escaped && ahead.count < MOST_AHEAD && ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes == 1 &&
         read(STDIN_FILENO, &key, 1) == 1) {
    escaped = key == ESCAPE;
    if (!escaped)
      ahead.keys[ahead.count++] = key;
  }
  pthread_mutex_unlock(&ahead.lock);
  return escaped;
}

static void give_keys_back(void) {
  while (ahead.count)
    ungetch((unsigned char)ahead.keys[--ahead.count]);
}

/* ncurses' code of the next key; KEY_RESIZE; ERR: the input is closed, or with *over set, the time is over. */
static int next_code(uint64_t until_ns, bool *over) {
  for (int errors = 0; errors < MOST_ERRORS;) {
    begin_drawing(); /* again after a stop */
    if (take_size())
      return KEY_RESIZE;
    give_keys_back();
    int code = getch();
    if (code != ERR)
      return code;
    enum wake wake = wait_for_key(until_ns);
    *over = wake == WAKE_TIME;
    if (wake == WAKE_GONE || *over)
      break;
    errors += wake == WAKE_INPUT;
  }
  return ERR;
}

int prof_tui_terminal_key(uint64_t most_ns) {
  bool over = false;
  int code = next_code(most_ns ? now_ns() + most_ns : 0, &over);
  end_drawing();
  if (over)
    return PROF_TUI_INPUT_NONE;
  if (code == ERR)
    return PROF_TUI_INPUT_CLOSED;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i].code == code)
      return keys[i].key;
  return code < 0x100 ? code : PROF_TUI_INPUT_OTHER;
}

#endif
