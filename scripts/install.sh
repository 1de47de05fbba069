#!/bin/sh
# install.sh BUILD PREFIX - installs a build folder, and makes the plugin and the runtime found by name, or prints how.
#
# GCC loads -fplugin=prof.so with dlopen, as programs load the runtime: both are found if ldconfig has entered the library
# folder.  With DESTDIR this is skipped: packages do it in their own scripts.
set -eu
build=$1
prefix=$2
cmake --install "$build" --prefix "$prefix"
libdir=$prefix/$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
case $libdir in *//*) libdir=$prefix/lib ;; esac
conf=/etc/ld.so.conf.d/prof.conf
PATH=$PATH:/usr/sbin:/sbin # where ldconfig is

listed() { # is the folder in the dynamic linker's cache?
  { sed -n 's/#.*//; /^\//p' /etc/ld.so.conf /etc/ld.so.conf.d/*.conf 2>/dev/null; echo /lib; echo /usr/lib; } |
    sed 's#/*$##' | grep -qxF "$libdir"
}
system_prefix() { # a folder for all users of the machine
  case $prefix in /usr | /usr/local | /opt | /opt/*) true ;; *) false ;; esac
}
hint() {
  cat <<TEXT
install: to let gcc and your programs find the libraries in $libdir by name, run as root

    echo $libdir > $conf && ldconfig

  or, without root, say what is where:  gcc \$($prefix/bin/prof config --cflags) ... ;  prof record needs nothing more.
TEXT
}

if [ -z "${DESTDIR:-}" ]; then # the list for uninstall.sh; a package has its own
  list=$libdir/prof/installed-files
  { cat "$build/install_manifest.txt"; printf '\n%s\n' "$list"; } >"$list"
fi

# The links of the SONAMEs (prof.so, ...) are useful without the cache too: LD_LIBRARY_PATH finds them.
ldconfig -n "${DESTDIR:-}$libdir" || echo "install: ldconfig -n failed; -fplugin=prof.so needs a link prof.so to libprof-plugin.so"
if [ -n "${DESTDIR:-}" ]; then
  echo "install: staged under $DESTDIR; the package that it becomes runs ldconfig"
elif [ "$(id -u)" = 0 ] && { listed || system_prefix; }; then
  listed || { echo "$libdir" > "$conf" && echo "install: wrote $conf"; }
  ldconfig || ldconfig || echo "install: ldconfig failed: run it as root, until then programs don't find the libraries by name" # two at once fail
  echo "install: done.  gcc -g -O2 -fplugin=prof.so app.c -o app && prof record ./app"
else
  hint
fi
