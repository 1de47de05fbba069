# Makes page.c of a bundle: cmake -DBUNDLE= -DTO= -DEMBED= -P
# esbuild writes no "</script" into the script.
set(text)
foreach(part script:main.js style:main.css)
  string(REPLACE ":" ";" part ${part})
  list(GET part 0 NAME)
  list(GET part 1 FILE)
  set(made ${BUNDLE}/${NAME}.c)
  execute_process(COMMAND ${CMAKE_COMMAND} -DFROM=${BUNDLE}/${FILE} -DTO=${made} -DNAME=prof_page_${NAME}
                          -DHEADER=viewer/html_page.h -P ${EMBED} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${made} c)
  string(APPEND text "${c}")
endforeach()
file(WRITE ${TO} "${text}")
