#!/usr/bin/env python3
"""Paths that a program's debug information names: no reader waits for a FIFO, and `prof pack` takes only sources of the build."""
import os
import pathlib
import struct
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "e2e" / "record"), str(TESTS / "support")]
import decode  # noqa: E402
import recording  # noqa: E402
from recording import PATIENCE_S, contains, equal  # noqa: E402

FUNCTION = """#line 1 "{path}"
__attribute__((noinline)) int {name}(int x) {{ for (int i = 0; i < 1000; i++) __asm__ volatile("" : "+r"(x)); return x; }}
"""
PACK = 19
SECRET = "a line that nobody may see"
READERS = (["annotate", "named"], ["annotate", "named", "--asm"], ["lines"], ["report"], ["flame", "--lines", "-o", "-"], ["pack"])


def build(bench, paths):
    """A program in project/, each function of which says that it stands in one of the files."""
    project = bench.folder / "project"
    project.mkdir(exist_ok=True)
    text = "".join(FUNCTION.format(path=path, name=name) for name, path in paths.items())
    own = project / "main.c"
    own.write_text(f'{text}#line 1 "{own}"\nint main(void) {{ int sum = 0; for (int i = 0; i < 3000; i++) sum += '
                   f'{" + ".join(f"{name}(i)" for name in paths)}; return sum & 1 ? 0 : 0; }}\n')
    bench.build(own, project / "app")
    done = bench.record(program=project / "app")
    equal("status of the recording", done.returncode, 0)
    return project


def packed_bytes(trace):
    """What PACK chunks hold, unpacked."""
    data, at, found = trace.read_bytes(), 64, b""
    while at + 64 <= len(data):
        kind, codec, packed_bytes, raw_bytes = struct.unpack_from("<8xHH28xII", data, at)
        payload = data[at + 64:at + 64 + packed_bytes]
        if kind == PACK:
            found += decode.unpack_zstd(payload, raw_bytes) if codec else payload
        at += 64 + (packed_bytes + 7) // 8 * 8
    return found


def fifos(bench):
    """A source that is a FIFO, a program that is one: nobody opens them."""
    source = bench.folder / "fifo.c"
    os.mkfifo(source)
    project = build(bench, {"named": source})
    for command in READERS:
        equal(f"status of {command}", bench.run([bench.prof, *command], timeout=PATIENCE_S).returncode, 0)
    (project / "app").unlink()
    os.mkfifo(project / "app")
    for command in (["lines"], ["report"], ["annotate", "named", "--asm"]):
        if bench.run([bench.prof, *command], timeout=PATIENCE_S).returncode < 0:
            raise AssertionError(f"{command} died")
    (project / "app").unlink()


def packed(bench):
    """What lies elsewhere, is hidden, is reached by a link, or is the system's, stays out, and that is said."""
    project = bench.folder / "project"
    outside = bench.folder / "outside"
    for folder in (project / "src", project / ".keys", outside):
        folder.mkdir(parents=True)
    (project / "Makefile").touch()
    for file in (outside / "other.c", project / ".keys" / "key.c"):
        file.write_text(SECRET)
    (project / "src" / "link.c").symlink_to(outside / "other.c")
    (project / "src" / "good.c").write_text("int good;\n")
    build(bench, {"one": "/etc/shadow", "two": outside / "other.c", "three": project / ".keys" / "key.c",
                  "four": project / "src" / "link.c", "five": project / "src" / "good.c", "six": "/etc/passwd"})
    trace = bench.folder / "prof.data" / "trace"
    # From inside the project, as the folder of the recording counts too: the bench's has everything below it.
    bench.run(["rm", "-r", bench.folder / "prof.data"])
    equal("recording", bench.run([bench.prof, "record", "-o", bench.folder / "prof.data", project / "app"], folder=project).returncode, 0)
    before = trace.read_bytes()
    done = bench.run([bench.prof, "pack"])
    equal("status", done.returncode, 0)
    contains("what is said", done.stderr, f"2 sources below {project}\n")
    contains("what is said", done.stderr, "refused ")
    contains("what is said", done.stderr, "--sources=DIR")
    shown = bench.run([bench.prof, "annotate", "five"])
    contains("a packed source", shown.stdout, "int good;")
    equal("the good source is packed", b"int good;" in packed_bytes(trace), True)
    for text in (SECRET, "root:"):
        equal(f"'{text}' is packed", text.encode() in packed_bytes(trace), False)
    trace.write_bytes(before)
    done = bench.run([bench.prof, "pack", f"--sources={outside}", "--sources=/etc"])
    equal("status", done.returncode, 0)
    equal("a listed source is packed", SECRET.encode() in packed_bytes(trace), True)
    equal("a file of /etc is packed", b"root:" in packed_bytes(trace), False)


if __name__ == "__main__":
    recording.main([fifos, packed])
