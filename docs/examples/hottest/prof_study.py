"""libprofstudy from Python: structs and enums are read from prof_study.h, so that both say the same.

    with Study("prof.data") as study:
        for row in study.functions():
            print(row.name, row.self_ns)
"""
import ctypes
import re

PLAIN = {"bool": ctypes.c_bool, "double": ctypes.c_double, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
         "size_t": ctypes.c_size_t, "const char *": ctypes.c_char_p}


def read_header(path):
    """The enums' constants, and the structs, by name."""
    text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    constants, structs = {}, {}
    for body in re.findall(r"^enum \w+ \{(.*?)\};", text, re.S | re.M):
        names = [word.split("=")[0].strip() for word in body.split(",")]
        constants.update((name, number) for number, name in enumerate(filter(None, names)))
    for name, body in re.findall(r"^struct (\w+) \{(.*?)\n\};", text, re.S | re.M):
        fields = []
        for kind, members in re.findall(r"((?:const )?(?:struct |enum )?\w+) ([^;]+);", body):
            for member in members.split(","):
                stars, word, length = re.match(r"([* ]*(?:const \*)?)(\w+)(?:\[(\d+)\])?", member.strip()).groups()
                of = (PLAIN.get(kind + " *", ctypes.c_void_p) if "*" in stars else structs.get(kind[7:]) if
                      kind.startswith("struct ") else ctypes.c_int if kind.startswith("enum ") else PLAIN[kind])
                of = ctypes.c_void_p if stars.count("*") > 1 else of
                fields.append((word, of * int(length) if length else of))
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return constants, structs


class Study:
    def __init__(self, path, header="/usr/include/prof_study.h", library="libprofstudy.so.0", **options):
        self.library = ctypes.CDLL(library)
        self.constants, self.structs = read_header(header)
        self.study, self.diag = ctypes.c_void_p(), ctypes.create_string_buffer(4096)
        self.call("open", path.encode(), ctypes.byref(self.structs["prof_study_options"](**options)), self.diag,
                  ctypes.byref(self.study), on=())

    def call(self, name, *arguments, on=None):
        if getattr(self.library, "prof_study_" + name)(*((self.study,) if on is None else on), *arguments):
            raise RuntimeError(self.diag.raw[4:260].split(b"\0")[0].decode(errors="replace"))

    def rows(self, name, struct, *arguments):
        rows, count = ctypes.POINTER(self.structs[struct])(), ctypes.c_size_t()
        self.call(name, *arguments, self.diag, ctypes.byref(rows), ctypes.byref(count))
        return rows[:count.value]

    def functions(self, by="PROF_BY_FUNCTION", sort="PROF_SORT_SELF"):
        return self.rows("functions", "prof_function_row", self.constants[by], self.constants[sort])

    def loops(self, sort="PROF_LOOP_SORT_SELF"):
        return self.rows("loops", "prof_loop_row", self.constants[sort])

    def lines(self, sort="PROF_LINE_SORT_SELF"):
        return self.rows("lines", "prof_line_row", self.constants[sort])

    def tree(self, min_share=0.0):
        return self.rows("tree", "prof_tree_node", ctypes.c_double(min_share))

    def name(self, function):
        of = self.library.prof_study_function_name
        of.restype = ctypes.c_char_p
        return of(self.study, ctypes.c_uint32(function))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.prof_study_close(self.study)
