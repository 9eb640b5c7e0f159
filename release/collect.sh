#!/bin/sh
# Fills the folder of a release, in which the .deb already is: collect.sh VERSION FOLDER
#
# What `make install` installed is in target/installed, the wheel in target/wheels. A commit always gives the same bytes: all times are
# SOURCE_DATE_EPOCH, all owners root, and names are in order.
set -eu

version=$1
folder=$2
name=tabia-$version-x86_64-linux

[ -z "$(git status --porcelain)" ] || echo "warning: what is not committed is in the binary, but not in the source archive" >&2

install -Dm644 -t target/installed/share/doc/tabia LICENSE README.md
install -Dm644 -t target/installed/share/doc/tabia/examples data/sample.pgn
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --transform="s,^\.,$name," \
  -C target/installed -cf - . | zstd -q -19 -o "$folder/$name.tar.zst"
git archive --prefix="tabia-$version/" HEAD | zstd -q -19 -o "$folder/tabia-$version-source.tar.zst"
cp target/wheels/tabia-"$version"-*.whl release/Dockerfile "$folder"

# The bill of materials is written beside every Cargo.toml, so in a copy; paths of the machine are cut.
bill=target/bill
rm -rf $bill && mkdir -p $bill && git archive HEAD | tar -xf - -C $bill
cargo cyclonedx --quiet --format json --features object-store --target x86_64-unknown-linux-gnu --override-filename bom \
  --manifest-path $bill/Cargo.toml
sed "s,file://$PWD/$bill,file:///tabia,g" $bill/bom.json > "$folder/tabia-$version.cdx.json"

cd "$folder"
sha256sum -- * > SHA256SUMS
wc -c -- *
