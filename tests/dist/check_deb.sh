#!/bin/sh
# Installs a package in a Debian that debootstrap makes, of this machine's release and from its mirror, and runs there what the README
# shows under "Your first book": check_deb.sh PACKAGE README
set -eu

package=$1
readme=$2
root=target/debian/root

if [ ! -e $root/.made ]; then
  . /etc/os-release
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  rm -rf $root
  debootstrap --variant=minbase "$VERSION_CODENAME" $root "$mirror" > target/debian/debootstrap.log
  touch $root/.made
fi

# The block of commands below the heading.
commands=$(awk '/^## /{here = ($0 == "## Your first book")} here && /^```/{inside = ($0 == "```sh"); next} inside' "$readme")
[ -n "$commands" ] || { echo "error: $readme shows no first book" >&2; exit 1; }

chroot $root apt-get purge -qq -y tabia > /dev/null 2>&1 || true
cp "$package" $root/root/tabia.deb
rm -rf $root/root/first && mkdir -p $root/root/first/data
chroot $root apt-get install -qq -y /root/tabia.deb > /dev/null 2>&1
cp $root/usr/share/doc/tabia/examples/sample.pgn $root/root/first/data/
printf 'set -e\ncd /root/first\n%s\ntabia verify book.tabia games.table book.bin\n' "$commands" > $root/root/first/commands.sh
chroot $root sh /root/first/commands.sh
for file in share/bash-completion/completions/tabia share/zsh/vendor-completions/_tabia \
  share/fish/vendor_completions.d/tabia.fish share/man/man1/tabia-build.1.gz share/doc/tabia/copyright; do
  [ -s $root/usr/$file ] || { echo "error: the package has no $file" >&2; exit 1; }
done
offered=$(chroot $root env TABIA_COMPLETE=bash _CLAP_IFS=, _CLAP_COMPLETE_INDEX=4 tabia -- tabia probe book.tabia --policy te)
[ "$offered" = terra ] || { echo "error: completions of --policy te: $offered" >&2; exit 1; }
chroot $root apt-get purge -qq -y tabia > /dev/null
[ ! -e $root/usr/bin/tabia ] || { echo "error: removing the package leaves the binary" >&2; exit 1; }
echo "$package: installed, used and removed"
