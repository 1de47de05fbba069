"""What gcov says of a program's lines.

In: a compiler, and a folder with the notes and data of a program that it built with --coverage and that has run.
Out: (path, line) -> count.  llvm-cov is right but in two things, which are mended before it is asked:
- clang's notes list a line of a block again when control comes back to it from another, as `x = f(` does from its
  arguments below, and llvm-cov counts the block for each time: `return a +` with `b;` below shows 2 for one execution.
  Here each block lists each line once.
- clang loses arcs of its notes (cover-clang.sh splits edges so that none is lost).
A call is taken to come back, so that counts of functions that longjmp leaves can't follow: `left_otherwise` says which.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

FUNCTION, ARCS, LINES = 0x01000000, 0x01430000, 0x01450000  # records of notes: a tag, a length in words, and that


def is_clang(compiler):
    return "clang" in pathlib.Path(compiler).name


def number_of(compiler):
    return compiler.rpartition("-")[2]


def gcov_of(compiler):
    """The command that shows what a compiler's --coverage counted; skips where there is none."""
    command = [f"llvm-cov-{number_of(compiler)}", "gcov"] if is_clang(compiler) else [f"gcov-{number_of(compiler)}"]
    needed = [command[0]] + ([f"opt-{number_of(compiler)}"] if is_clang(compiler) else [])
    missing = [name for name in needed if not shutil.which(name)]
    return programs.skip(f"no {missing[0]} here") if missing else command


def covering(compiler):
    """The command that compiles and links with --coverage."""
    return [str(HERE / "cover-clang.sh"), compiler] if is_clang(compiler) else [compiler, "--coverage"]


def lines_once(body):
    """A record of lines: a block's number, then lines; 0 and a string: of this file from now on, an empty one ends it."""
    kept, at, file, seen = bytearray(body[:4]), 4, None, set()
    while at < len(body):
        line, = struct.unpack_from("<I", body, at)
        end = at + 4
        if line == 0:
            words, = struct.unpack_from("<I", body, end)
            end += 4 + 4 * words
            file = body[at + 8:end]
        if line == 0 or (file, line) not in seen:
            kept += body[at:end]
        seen.add((file, line))
        at = end
    return bytes(kept)


def records(data):
    """(tag, body) of each record of notes; a tag of 0 ends them."""
    at = 12
    while at + 8 <= len(data):
        tag, words = struct.unpack_from("<II", data, at)
        if tag == 0:
            return
        yield tag, data[at + 8:at + 8 + 4 * words]
        at += 8 + 4 * words


def split_blocks(arcs, lines):
    """block -> the one before it, of blocks on an edge that was split: on no line, with one way in and one out."""
    ways_in = {}
    for source, targets in arcs.items():
        for target in targets:
            ways_in.setdefault(target, []).append(source)
    return {block: ways_in[block][0] for block, targets in arcs.items()
            if block not in lines and len(targets) == 1 and len(ways_in.get(block, ())) == 1}


def mended(function):
    """The records of a function with each line once per block and file; a block on an edge is on the lines before it."""
    arcs, lines, kept = {}, {}, []
    for tag, body in function:
        words = struct.unpack_from(f"<{len(body) // 4}I", body)
        if tag == LINES:
            if len(body) > 20:  # more than the block and the end
                lines[words[0]] = lines_once(body)
        else:
            kept.append((tag, body))
            if tag == ARCS:
                arcs.setdefault(words[0], []).extend(words[1::2])
    for block, before in split_blocks(arcs, lines).items():
        if before in lines:
            lines[block] = struct.pack("<I", block) + lines[before][4:]
    return kept + [(LINES, lines[block]) for block in sorted(lines)]


def notes_mended(data):
    """Clang's notes with each function's lines mended."""
    if data[:8] != b"oncg*804":
        sys.exit(f"notes of a version that this test doesn't know: {data[:8]}")
    functions = [[]]
    for tag, body in records(data):
        if tag == FUNCTION:
            functions.append([])
        functions[-1].append((tag, body))
    kept = bytearray(data[:12])
    for tag, body in (record for function in functions for record in mended(function)):
        kept += struct.pack("<II", tag, len(body) // 4) + body
    return bytes(kept) + bytes(8)


def show(compiler, objects, folder, *options):
    """Leaves *.gcov in `folder`."""
    if is_clang(compiler):
        for notes in pathlib.Path(objects).glob("*.gcno"):
            notes.write_bytes(notes_mended(notes.read_bytes()))
    for old in pathlib.Path(folder).glob("*.gcov"):
        old.unlink()
    done = subprocess.run([*gcov_of(compiler), *options, *pathlib.Path(objects).glob("*.gcda")], cwd=folder, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"{gcov_of(compiler)} ended with {done.returncode}\n{done.stderr[-2000:]}")


def texts(folder):
    """(path, lines of text) of each *.gcov in a folder."""
    for file in pathlib.Path(folder).glob("*.gcov"):
        lines = file.read_text(errors="replace").splitlines()
        match = next((match for text in lines if (match := re.match(r"\s*-:\s*0:Source:(.*)", text))), None)
        yield os.path.realpath(os.path.join(folder, match[1])) if match else None, lines


def line_of(text):
    return re.match(r"\s*(-|#####|=====|[0-9]+)\*?:\s*([1-9][0-9]*):", text)


def read(folder):
    """(path, line) -> count.  A template's lines stand once more for each instance; the first time is for all."""
    counts = {}
    for path, lines in texts(folder):
        for match in filter(None, map(line_of, lines)):
            if match[1] != "-":
                counts.setdefault((path, int(match[2])), 0 if match[1][0] in "#=" else int(match[1]))
    return counts


def left_otherwise(folder, is_landing):
    """Lines of functions that were left, or come back to, by other ways than return, of what GCC's gcov showed with -b."""
    places = set()
    for path, lines in texts(folder):
        left, own = False, []
        for text in [*lines, "function"]:
            if text.startswith("function"):
                if left or any(map(is_landing, own)):
                    places.update(own)
                own = []
                match = re.match(r"function \S+ called [0-9]+ returned ([0-9]+)%", text)
                left = match is not None and match[1] != "100"
            elif match := line_of(text):
                own.append((path, int(match[2])))
    return places
