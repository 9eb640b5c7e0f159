# What the pages leave out: every format that is written, and the `--json` of every command that has it.
S=data/sample.pgn
tabia build $S -o all.tabia --table all.table --polyglot all.bin --json > build.json
tabia build $S -o cut.tabia --min-games 3 --max-ply 30 -q
tabia build $S -o marked.tabia --repertoire -q
tabia count $S -o months.table --by month,player-color --player "/Stockfish/" --ratings --json > count.json
tabia count $S -o copies.table --dedup-games truncated --repeats once --rejects rejects.jsonl --json > copies.json
tabia count $S -o half.table --limit 1200 -q
tabia merge all.table half.table -o sum.table --json > merge.json
tabia subtract sum.table $S --limit 1200 --force -q
tabia compact months.table -o months.tabia --half-life 1m --min-games 2 --json > compact.json
tabia learn games $S --player "/Stockfish/" --rule lokasoft --search --table all.table -o games.experience.parquet --json > learn.json
tabia learn set --line "1. d4 d5" --value 5 --continue games.experience.parquet -o set.experience.parquet
tabia experience merge games.experience.parquet set.experience.parquet -o merged.experience.parquet
tabia experience age merged.experience.parquet --factor 0.5 -o aged.experience.parquet
tabia experience show aged.experience.parquet > show.txt
tabia experience diff games.experience.parquet aged.experience.parquet > experience-diff.txt
tabia learn export crafty merged.experience.parquet --table all.table -o out.lrn
tabia compact all.table --experience merged.experience.parquet --min-games 2 -o learned.tabia
for policy in polyglot wilson bayes lokasoft postmodernist terra crafty; do
  tabia export polyglot learned.tabia -o $policy.bin --policy $policy
  tabia probe learned.tabia --policy $policy --explain > probe-$policy.txt
  tabia simulate learned.tabia --policy $policy --games 2000 --seed 3 --json > simulate-$policy.json
done
tabia export polyglot cut.tabia -o header.bin --header
tabia export polyglot cut.tabia -o counts.bin --counts-only
tabia export abk cut.tabia -o cut.abk --json > abk.json
tabia import abk cut.abk -o from-abk.table
tabia export json learned.tabia -o learned.jsonl
tabia import json learned.jsonl -o again.tabia
cmp learned.tabia again.tabia
tabia export json cut.tabia -o cut.jsonl
tabia export json header.bin -o header.jsonl
tabia export parquet months.table -o months --json > parquet.json
tabia export games $S -o games --json > games.json
tabia export games $S -o observed --observations --json > observed.json
tabia export pgn cut.tabia -o cut.pgn
tabia export epd cut.tabia -o cut.epd
tabia export csv cut.tabia -o cut.csv
tabia suite all.table -o suite.epd --plies 6..10 --min-games 3 --json > suite.json
tabia review $S --book learned.tabia --player "/Glaurung/" --drill drill.csv --pgn review.pgn --parquet review.parquet --json > review.json
tabia review $S --book header.bin --player "/Glaurung/" > review.txt
tabia suite all.table -o suite.pgn --plies 6..10 --min-games 3 --seed 5
tabia edit cut.tabia "drop d4 f5" "prune unreachable" -o edited.tabia
tabia merge header.bin counts.bin -o both.bin --strategy average
tabia merge all.tabia learned.tabia -o both.tabia --force
tabia filter $S --dedup-games exact -o each.pgn --rest rest.pgn --json > filter.json
tabia report all.table -o report.html --json > report.json
tabia diff all.table half.table --json > diff.json
tabia check cut.tabia --color white --json > check.json
for file in all.tabia all.table merged.experience.parquet header.bin; do
  tabia info $file --json > info-$file.json
  tabia verify $file --json > verify-$file.json
  tabia probe $file --line "1. e4" --json > probe-$file.json
done
tabia why learned.tabia e4 > why.txt
tabia dump header.bin > dump.txt
tabia pick learned.tabia --policy wilson --seed 9 --json > pick.json
tabia policies --json > policies.json
tabia sql all.table | sed "s|$PWD/||g" > all.sql
