"""A program in a pseudo-terminal, and the screen that it draws: the part of a terminal that ncurses uses with TERM=xterm.

In: a command, the size, keys.  Out: lines of text, which cells are reverse, the settings of the terminal.  Nothing here waits
for a time: `until` reads until the screen is as it should be, and fails when that takes minutes.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import unicodedata

SILENCE = int(os.environ.get("PROF_TUI_SILENCE", 400))  # seconds until a wait fails
KEYS = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF",
        "pageup": "\x1b[5~", "pagedown": "\x1b[6~", "enter": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f"}
SEQUENCE = re.compile(r"\x1b(?:\[([?>]?[0-9;]*)([A-Za-z@`])|([()][0-9A-Za-z])|\]([^\x07]*)\x07|([=>78MDEHc]))")


def columns_of(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Screen:
    def __init__(self, width, height):
        self.buffer, self.unknown = "", []
        self.alternate, self.visible = False, True
        self.resize(width, height)

    def resize(self, width, height):
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.marks = [[False] * width for _ in range(height)]
        self.x = self.y = self.top = 0
        self.bottom, self.reverse, self.colored, self.last = height - 1, False, False, " "
        self.wrap = False

    def clear(self, y, begin, end):
        for x in range(begin, min(end, self.width)):
            self.cells[y][x], self.marks[y][x] = " ", False

    def scroll(self, count):
        for _ in range(abs(count)):
            old, new = (self.top, self.bottom) if count > 0 else (self.bottom, self.top)
            for rows, blank in ((self.cells, " "), (self.marks, False)):
                del rows[old]
                rows.insert(new, [blank] * self.width)

    def put(self, character):
        columns = columns_of(character)
        if columns == 0:
            self.cells[self.y][max(self.x - 1, 0)] += character
            return
        if self.wrap or self.x + columns > self.width:
            self.x, self.wrap = 0, False
            self.line_feed()
        self.cells[self.y][self.x], self.marks[self.y][self.x] = character, self.reverse
        if columns == 2:
            self.cells[self.y][self.x + 1], self.marks[self.y][self.x + 1] = "", self.reverse
        self.last = character
        self.x += columns
        if self.x >= self.width:
            self.x, self.wrap = self.width - 1, True

    def line_feed(self):
        if self.y == self.bottom:
            self.scroll(1)
        else:
            self.y = min(self.y + 1, self.height - 1)

    def modes(self, text, on):
        for mode in text.lstrip("?").split(";"):
            if mode in ("47", "1047", "1049"):
                self.alternate = on
            elif mode == "25":
                self.visible = on

    def attributes(self, numbers):
        for number in numbers or [0]:
            if number == 0:
                self.reverse = False
            elif number in (7, 27):
                self.reverse = number == 7
            elif 30 <= number <= 37 or 90 <= number <= 97:
                self.colored = True

    def sequence(self, text, final):
        if final in "hl":
            self.modes(text, final == "h")
            return
        numbers = [int(word or 0) for word in text.lstrip("?>").split(";")] if text else []
        first = max(numbers[0] if numbers else 1, 1)
        if final == "m":
            if not text.startswith(">"):
                self.attributes(numbers)
            return
        self.wrap = False
        if final in "Hf":
            self.y, self.x = min(first, self.height) - 1, min(max((numbers + [1, 1])[1], 1), self.width) - 1
        elif final in "G`":
            self.x = min(first, self.width) - 1
        elif final == "d":
            self.y = min(first, self.height) - 1
        elif final in "ABCD":
            dx, dy = {"A": (0, -1), "B": (0, 1), "C": (1, 0), "D": (-1, 0)}[final]
            self.x = min(max(self.x + dx * first, 0), self.width - 1)
            self.y = min(max(self.y + dy * first, 0), self.height - 1)
        elif final == "J":
            for y in range(self.height):
                if numbers[:1] == [2] or y > self.y:
                    self.clear(y, 0, self.width)
            if numbers[:1] != [2]:
                self.clear(self.y, self.x, self.width)
        elif final == "K":
            self.clear(self.y, 0 if numbers[:1] in ([1], [2]) else self.x, self.x + 1 if numbers[:1] == [1] else self.width)
        elif final == "X":
            self.clear(self.y, self.x, self.x + first)
        elif final == "b":
            for _ in range(first):
                self.put(self.last)
        elif final in "P@":
            for row, blank in ((self.cells[self.y], " "), (self.marks[self.y], False)):
                for _ in range(first):
                    row.insert(self.width - 1 if final == "P" else self.x, blank)
                    del row[self.x if final == "P" else self.width]
        elif final in "LM":
            top, self.top = self.top, self.y
            self.scroll(-first if final == "L" else first)
            self.top = top
        elif final in "ST":
            self.scroll(first if final == "S" else -first)
        elif final == "r":
            first, last = (*numbers, 0, 0)[:2]  # of a size that the terminal had, perhaps
            self.top, self.bottom = max(first, 1) - 1, min(last or self.height, self.height) - 1
            if self.top >= self.bottom:
                self.top, self.bottom = 0, self.height - 1
            self.x = self.y = 0
        elif final not in "tcn":
            self.unknown.append(text + final)

    def feed(self, text):
        self.buffer += text
        while self.buffer:
            character = self.buffer[0]
            if character == "\x1b":
                match = SEQUENCE.match(self.buffer)
                if not match:
                    if len(self.buffer) > 60:
                        self.unknown.append(self.buffer[:20])
                        self.buffer = self.buffer[1:]
                        continue
                    return
                self.buffer = self.buffer[match.end():]
                if match[2]:
                    self.sequence(match[1], match[2])
                elif match[5] == "M":
                    self.scroll(-1) if self.y == self.top else None
                    self.y = max(self.y - 1, 0)
                continue
            self.buffer = self.buffer[1:]
            if character == "\r":
                self.x, self.wrap = 0, False
            elif character == "\n":
                self.line_feed()
            elif character == "\b":
                self.x, self.wrap = max(self.x - 1, 0), False
            elif character >= " ":
                self.put(character)

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]


class Terminal:
    """A program in the foreground of a terminal of its own."""

    def __init__(self, command, width=80, height=24, environment=None, cwd=None, echo=True):
        self.master, self.slave = pty.openpty()
        if not echo:
            settings = termios.tcgetattr(self.slave)
            settings[3] &= ~termios.ECHO
            termios.tcsetattr(self.slave, termios.TCSANOW, settings)
        self.before = termios.tcgetattr(self.slave)
        self.screen = Screen(width, height)
        self.size(width, height)
        env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})}
        for name in ("LINES", "COLUMNS", *([] if environment and "NO_COLOR" in environment else ["NO_COLOR"])):
            env.pop(name, None)
        self.process = subprocess.Popen(
            [str(word) for word in command], cwd=cwd, env=env, stdin=self.slave, stdout=self.slave, stderr=self.slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.partial, self.raw = b"", b""

    def size(self, width, height):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def resize(self, width, height):
        self.screen.resize(width, height)
        self.size(width, height)  # the kernel sends SIGWINCH

    def read(self):
        """Takes what comes; False: the program is silent for long, or gone."""
        while True:
            gone = self.process.poll() is not None  # what it wrote is there before its end is known
            if self.ready(0 if gone else 0.05):
                data = os.read(self.master, 65536)
                self.raw += data
                data = self.partial + data
                text = data.decode("utf-8", errors="ignore")
                cut = 0
                while cut < 4 and cut < len(data) and data[len(data) - 1 - cut] & 0xc0 == 0x80:
                    cut += 1
                lead = data[len(data) - 1 - cut] if cut < len(data) else 0
                need = 4 if lead >= 0xf0 else 3 if lead >= 0xe0 else 2 if lead >= 0xc0 else 1
                keep = cut + 1 if need > cut + 1 else 0
                self.partial = data[len(data) - keep:] if keep else b""
                if keep:
                    text = data[:-keep].decode("utf-8", errors="replace")
                self.screen.feed(text)
                return True
            if gone:
                return False

    def ready(self, seconds=0):
        """Is there something to read, or comes it soon?"""
        return bool(select.select([self.master], [], [], seconds)[0])

    def until(self, what, wanted):
        """Reads until wanted(lines) holds."""
        signal.alarm(SILENCE)
        try:
            while not wanted(self.screen.lines()):
                if not self.read():
                    if wanted(self.screen.lines()):
                        return self.screen.lines()
                    self.fail(f"the program ended (status {self.process.returncode}) before: {what}")
        except TimeoutError:
            self.fail(f"never came: {what}")
        finally:
            signal.alarm(0)
        return self.screen.lines()

    def has(self, *texts):
        return self.until(" and ".join(map(repr, texts)), lambda lines: all(any(text in line for line in lines) for text in texts))

    def lacks(self, text):
        return self.until(f"no {text!r}", lambda lines: not any(text in line for line in lines))

    def fail(self, what):
        shown = "\n".join(f"  |{line}" for line in self.screen.lines())
        raise AssertionError(f"{what}\n{shown}")

    def unread(self):
        """Bytes of keys that the program has not taken yet."""
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)))[0]

    def key(self, *names):
        for name in names:
            os.write(self.master, KEYS.get(name, name).encode())

    def cursor(self):
        """The text of the row that is marked, but for the footer."""
        for y, marks in enumerate(self.screen.marks[:-1]):
            if marks[0] and sum(marks) > self.screen.width / 2:
                return "".join(self.screen.cells[y]).rstrip()
        return None

    def on(self, text):
        """Waits until the marked row has the text."""
        self.until(f"the cursor on {text!r}, not {self.cursor()!r}", lambda _: text in (self.cursor() or ""))
        return self.cursor()

    def end(self):
        """Waits for its end; its status, and whether the terminal is as before."""
        signal.alarm(SILENCE)
        try:
            while self.read():
                pass
            status = self.process.wait()
            while select.select([self.master], [], [], 0)[0]:
                self.read()
        finally:
            signal.alarm(0)
        return status, termios.tcgetattr(self.slave) == self.before and not self.screen.alternate and self.screen.visible

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def alarm(_number, _frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, alarm)

if __name__ == "__main__":  # screen.py WIDTH HEIGHT KEYS,... COMMAND...: the screen after these keys, for a person
    with Terminal(sys.argv[4:], int(sys.argv[1]), int(sys.argv[2])) as shown:
        shown.has("q quit")
        for word in filter(None, sys.argv[3].split(",")):
            shown.key(word)
            while select.select([shown.master], [], [], 0.5)[0] or shown.screen.lines()[-1].startswith("reading"):
                shown.read()
        print("\n".join(f"|{'>' if marks[0] else ' '}{line}" for line, marks in zip(shown.screen.lines(), shown.screen.marks)))
