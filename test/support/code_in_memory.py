"""Is a running program's code as in its file?  Probes that are off are the nops that the compiler wrote."""
import os
import pathlib
import re


def changed_bytes(pid):
    """How many bytes of the program's own code in memory differ from its file."""
    changed = 0
    path = os.readlink(f"/proc/{pid}/exe")
    file = pathlib.Path(path).read_bytes()
    maps = pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
    with open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps.splitlines():
            part = re.match(r"(\w+)-(\w+) r-xp (\w+) ", line)
            if part and line.endswith(" " + path):
                begin, end, offset = (int(word, 16) for word in part.groups())
                memory.seek(begin)
                text = memory.read(end - begin)
                changed += sum(a != b for a, b in zip(text, file[offset:offset + len(text)]))
    return changed
