#!/usr/bin/env python3
"""cubin_from_object.py OBJECT OUT - makes the compiler's object for this processor look like a GPU program: the number of
the machine, and that of the relocation that puts an address of 8 bytes into the line table."""
import pathlib
import struct
import sys

CUDA, HOST_ADDRESS, GPU_ADDRESS = 190, 1, 2
data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
struct.pack_into("<H", data, 18, CUDA)
section_offset, = struct.unpack_from("<Q", data, 40)
count, names = struct.unpack_from("<HH", data, 60)
sections = [struct.unpack_from("<IIQQQQIIQQ", data, section_offset + 64 * i) for i in range(count)]
changed = 0
for name, _, _, _, offset, size, *_ in sections:
    text = data[sections[names][4] + name:].split(b"\0", 1)[0]
    for at in range(offset, offset + size, 24) if text == b".rela.debug_line" else ():
        kind, = struct.unpack_from("<I", data, at + 8)
        if kind == HOST_ADDRESS:
            struct.pack_into("<I", data, at + 8, GPU_ADDRESS)
            changed += 1
if not changed:
    sys.exit(f"{sys.argv[1]}: no addresses in .rela.debug_line")
pathlib.Path(sys.argv[2]).write_bytes(data)
