"""What instructions do: floating-point operations, and bytes that they load and store, from objdump's text (AT&T)."""
import re
import subprocess

ARITHMETIC = re.compile(r"v?(?:add|sub|mul|div|sqrt|addsub|hadd|hsub)(ps|pd|ss|sd)$")
FUSED = re.compile(r"vfn?m(?:add|sub|addsub|subadd)(?:132|213|231)(ps|pd|ss|sd)$")
LANE_BYTES = {"ss": 4, "ps": 4, "sd": 8, "pd": 8}
MEMORY = re.compile(r"(?:%[cdefgs]s:)?-?(?:0x[0-9a-f]+)?\((?:%\w+)?(?:,%\w+(?:,\d)?)?\)")
# Bytes at memory where neither the type of lanes nor a register tells.
FIXED = {"movss": 4, "movsd": 8, "movd": 4, "movq": 8, "movlps": 8, "movhps": 8, "movlpd": 8, "movhpd": 8, "broadcastss": 4, "broadcastsd": 8, "pbroadcastd": 4, "pbroadcastq": 8,
         "insertf128": 16, "extractf128": 16, "inserti128": 16, "extracti128": 16, "cvtss2sd": 4, "cvtsd2ss": 8, "ucomiss": 4, "comiss": 4, "ucomisd": 8, "comisd": 8, "insertps": 4,
         "pinsrd": 4, "pinsrq": 8, "pextrd": 4, "pextrq": 8, "broadcastf128": 16, "movddup": 8, "cmpltss": 4, "cmpltsd": 8, "cvttss2si": 4, "cvttsd2si": 8}
HALF = {"cvtdq2pd", "cvtps2pd", "pmovzxdq", "pmovsxdq"}
COMPARES = {"cmp", "test", "ucomiss", "ucomisd", "comiss", "comisd", "bt"}
SUFFIX = {"b": 1, "w": 2, "l": 4, "q": 8}
NO_ACCESS = re.compile(r"(lea|nop|prefetch|call|ret|push|pop|j|leave)")


class Unknown(Exception):
    pass


def flops_of(name, operands):
    found, fused = ARITHMETIC.match(name), FUSED.match(name)
    if not found and not fused:
        return 0
    kind = (found or fused)[1]
    width = 32 if "%ymm" in operands else 16
    return (2 if fused else 1) * (1 if kind[0] == "s" else width // LANE_BYTES[kind])


def register_bytes(operands):
    if "%ymm" in operands:
        return 32
    if "%xmm" in operands:
        return 16
    outside = MEMORY.sub("", operands)
    for pattern, size in ((r"%r(?:[abcd]x|[sd]i|[sb]p|\d+)\b", 8), (r"%e\w\w\b|%r\d+d\b", 4), (r"%r\d+w\b|%[abcd]x\b", 2), (r"%\w\wl\b|%[abcd][lh]\b|%r\d+b\b", 1)):
        if re.search(pattern, outside):
            return size
    return 0


def access_bytes(name, operands):
    plain = name[1:] if name.startswith("v") else name
    kind = plain[-2:]
    if plain in FIXED:
        return FIXED[plain]
    if "mm" in operands:
        if plain in HALF:
            return register_bytes(operands) // 2
        if plain.startswith("cvtsi2"):
            return 8 if plain.endswith("q") else 4
        if kind in ("ss", "sd"):
            return LANE_BYTES[kind]
        return register_bytes(operands)
    size = register_bytes(operands) or SUFFIX.get(name[-1], 0)
    if not size:
        raise Unknown(name + " " + operands)
    return size


def accesses_of(name, operands):
    """Bytes loaded and stored by the program: not on the stack, and no constants beside the code."""
    memory = MEMORY.search(operands)
    if not memory or NO_ACCESS.match(name) or re.search(r"\(%rsp|\(%rip\)", memory[0]):
        return 0, 0
    size = access_bytes(name, operands)
    is_last = operands.rstrip().endswith(memory[0])
    if not is_last or name.rstrip("bwlq") in COMPARES or name in COMPARES:
        return size, 0
    moves = re.match(r"v?mov|v?extract|v?pextr|vp?maskmov", name)
    return (0, size) if moves else (size, size)


def listing(program, function):
    """(address, name, operands) of each instruction."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=" + function, program], capture_output=True, text=True, check=True).stdout
    rows = []
    for line in text.splitlines():
        found = re.match(r"\s+([0-9a-f]+):\s+((?:lock |rep[nz]* |notrack |bnd |data16 |cs )*)(\S+)\s*([^#<]*)", line)
        if found:
            rows.append((int(found[1], 16), found[3], found[4].strip()))
    return rows


def executed(program, function, counts):
    """(operations, bytes loaded, bytes stored) of a function, by how often each of its addresses ran."""
    total = [0, 0, 0]
    for address, name, operands in listing(program, function):
        times = counts.get(address, 0)
        if times:
            for i, number in enumerate((flops_of(name, operands), *accesses_of(name, operands))):
                total[i] += times * number
    return tuple(total)
