#!/bin/sh
# Draws the pictures of the documents from the sample: draw.sh TABIA SAMPLE FOLDER
set -eu

tabia=$1
sample=$2
folder=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$tabia" build "$sample" --min-games 40 -o "$work/book.tabia" --quiet
"$tabia" simulate "$work/book.tabia" --policy polyglot --games 10000 --max-ply 8 --svg "$folder/tree.svg" --force --quiet > /dev/null
