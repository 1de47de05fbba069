#!/usr/bin/env python3
"""Who includes whom.  The layers of the tools are said in tools/<layer>/CMakeLists.txt, after NEEDS; the rest is here.
No file needs another that needs it, by their includes; a file and its header (a/b.c, a/b.h) are one.
The layer of a folder below a layer has both names: tools/trace/read is trace_read."""
import pathlib
import re
import tree

ROOMS = {  # folder: rooms whose headers it may include, besides its own
    "wire": set(),
    "include": set(),
    "plugin-common": {"wire"},
    "plugin-gcc": {"wire", "plugin-common"},
    "plugin-clang": {"wire", "plugin-common"},
    "runtime": {"wire", "include"},
    "gpu": {"wire", "include"},
}
# view and export read what fold, estimate and analysis give out; that those are structs only is for the reader to see.
ALL_TOOLS = {"wire", "include"}
FOREIGN = {"plugin-gcc", "plugin-clang"}  # the compilers' own headers are included with quotes
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def tool_layers():
    layers = {}
    for file in sorted((tree.ROOT / "tools").glob("*/**/CMakeLists.txt")):
        call = re.search(r"prof_layer\((\w+)([^)]*)\)", file.read_text())
        needs = re.search(r"NEEDS([^A-Z)]*)", call[2]) if call else None
        layers["_".join(file.parent.relative_to(tree.ROOT / "tools").parts)] = set(needs[1].split()) if needs else set()
    return layers


def circle(name, needs):
    """The shortest way from a name by way of others back to itself; none: empty."""
    ways = [[name]]
    seen = set()
    for way in ways:
        for need in sorted(needs.get(way[-1], set()) - seen):
            if need == name:
                return [*way, name]
            seen.add(need)
            ways.append([*way, need])
    return []


def circles(needs):
    """Each name that is in a circle, with its circle."""
    return {name: " -> ".join(way) for name in sorted(needs) if (way := circle(name, needs))}


def room_of(path, layers):
    parts = path.parts
    if parts[0] != "tools":
        return parts[0]
    names = ["_".join(parts[1:end]) for end in range(len(parts) - 1, 1, -1)] or ["command"]  # main.c: the table of commands
    return "tools/" + next((name for name in names if name in layers), names[-1])


def allowed(room, layers):
    if room.startswith("tools/"):
        return ALL_TOOLS | {f"tools/{need}" for need in layers[room[6:]]}
    return ROOMS[room]


def resolve(path, name, known):
    """The file that an include means, as the build's include paths find it; None: not ours."""
    for folder in (path.parent, *path.parent.parents, *map(pathlib.PurePosixPath, ("include", "wire", "tools",
                                                                                   "plugin-common", "runtime", "runtime/x86_64"))):
        parts = []
        for part in (folder / name).parts:
            if part == ".." and parts:
                parts.pop()
            elif part != ".":
                parts.append(part)
        candidate = pathlib.PurePosixPath(*parts)
        if candidate in known:
            return candidate
    return None


def main():
    layers = tool_layers()
    sources = [p for p in tree.files(tree.CODE) if p.parts[0] in ROOMS or p.parts[0] == "tools"]
    known = set(tree.files())
    faults = [f"tools/{name}/CMakeLists.txt:1: layers in a circle: {way}" for name, way in circles(layers).items()]
    units = {}
    for path in sources:
        room = room_of(path, layers)
        if room.startswith("tools/") and room[6:] not in layers:
            faults.append(f"{path}:1: {room} is no layer (no prof_layer in its CMakeLists.txt)")
            continue
        may = allowed(room, layers) | {room}
        for number, line in enumerate(tree.lines(path), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = resolve(path, match[1], known)
            if target is None:
                if room not in FOREIGN:
                    faults.append(f"{path}:{number}: \"{match[1]}\" is not in the tree")
                continue
            if room_of(target, layers) not in may:
                faults.append(f"{path}:{number}: {room} must not include {target}")
            if path.with_suffix("") != target.with_suffix(""):
                units.setdefault(str(path.with_suffix("")), set()).add(str(target.with_suffix("")))
    faults += [f"{name}: files in a circle: {way}" for name, way in circles(units).items()]
    tree.finish(faults, len(sources))


main()
