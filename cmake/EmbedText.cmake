# Makes a C file with the bytes of FROM as a NUL-terminated array NAME, declared in HEADER.  cmake -DFROM= -DTO= ... -P
file(READ ${FROM} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n${bytes}0};\n")
