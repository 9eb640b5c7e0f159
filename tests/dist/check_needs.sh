#!/bin/sh
# Prints what a binary needs of the system, and fails if that is a later glibc: check_needs.sh BINARY GLIBC
set -eu

binary=$1
glibc=$2

needed=$(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }' | sort)
for library in $needed; do
  case $library in
    ld-linux-x86-64.so.2 | libc.so.6 | libdl.so.2 | libm.so.6 | libpthread.so.0 | librt.so.1 | libutil.so.1) ;;
    *) echo "error: $binary needs $library, which is not of glibc" >&2; exit 1 ;;
  esac
done

highest=$(objdump -T "$binary" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
[ -n "$highest" ] || { echo "error: $binary names no version of glibc" >&2; exit 1; }
if [ "$(printf '%s\n%s\n' "$highest" "$glibc" | sort -V | tail -n 1)" != "$glibc" ]; then
  echo "error: $binary needs glibc $highest, and may need $glibc at most" >&2
  exit 1
fi

"$binary" --version
echo "$binary: $(stat -c %s "$binary") bytes; needs glibc $highest or later:" $needed
