//! The short help of every command.

use super::{Help, help};

pub(super) const HELP: &[Help] = &[
    help(
        "",
        "",
        "\
tabia build games.pgn.zst -o book.tabia   the main job
tabia build dump.pgn.zst --min-elo 2400 --min-games 5 -o book.tabia --polyglot book.bin
tabia probe book.tabia --line \"e4 e5\"   what the book knows
tabia count *.pgn.zst -o games.table   exact counts, kept
tabia filter *.pgn --dedup-games exact -o kept.pgn   each game once, as it is written
tabia compact games.table -o white.tabia --color white --min-games 10
tabia probe book.tabia --policy terra --explain   how a rule would choose, and why
tabia learn crafty *.lrn --table games.table -o x.experience.parquet   what Craftys learned",
    )
    .note(
        "`tabia COMMAND -h` shows the flags that people use most, `tabia COMMAND --help` all of them.\n\
         Exit codes: 0 done, 1 failed, 2 wrong usage or recipe, 130 interrupted.",
    ),
    help(
        "build",
        "output polyglot table min-elo player since speed max-ply min-games min-score color rejects force",
        "\
tabia build games.pgn.zst -o book.tabia
tabia build dump.pgn.zst --min-elo 2400 --max-ply 40 --min-games 5 -o book.tabia --polyglot book.bin
tabia build *.pgn --color white --min-score 0.45 -o white.tabia   the moves of White's repertoire
tabia build lines.pgn --repertoire -o lines.tabia   prepared lines with their marks, not games
tabia build games.pgn -o book.tabia --table games.table --dry-run   draw what would be done",
    ),
    help(
        "count",
        "output max-ply by ratings min-elo speed player dedup-games rejects memory force",
        "\
tabia count 2023/*.pgn.zst -o games.table
tabia count lichess.pgn.zst --by speed,rating-band -o lichess.table   counts by speed and rating
tabia count games.pgn --line \"1. e4 c5\" --max-ply 30 -o sicilian.table   30 plies after 1.e4 c5
tabia count games.pgn --player \"Carlsen, Magnus\" --by player-color -o carlsen.table
tabia count huge.pgn.zst --memory 4GiB --resume -o huge.table   it goes on after a kill",
    ),
    help(
        "merge",
        "output strategy weights cut-off repair drop-groups shared force",
        "\
tabia merge 2022.table 2023.table -o both.table
tabia merge blitz.table masters.table --drop-groups -o all.table   sum over groups that differ
tabia merge masters.tabia engines.tabia -o both.tabia   counts and experience of finished books
tabia merge a.bin b.bin -o c.bin --strategy average --weights 2,1   Polyglot books, the first counts double
tabia merge --repair unsorted.bin -o sorted.bin   one Polyglot book, its entries sorted",
    ),
    help(
        "add",
        "min-elo speed dedup-games rejects memory force",
        "\
tabia add games.table 2024-01.pgn.zst   counted as the table was
tabia add games.table other.table   all of another table",
    ),
    help(
        "subtract",
        "min-elo speed where rejects memory",
        "\
tabia subtract games.table cheaters.pgn
tabia subtract games.table games.pgn --where 'Event =~ \"Casual\"'   take some games out again",
    ),
    help(
        "cluster",
        "",
        "tabia cluster plan lichess/*.pgn.zst -o games.table --max-ply 40   what there is to count",
    )
    .note("`tabia-spark` starts these commands on the machines of a cluster: docs/cluster.md."),
    help(
        "cluster plan",
        "output chunk recipe max-ply by min-elo shards memory threads force",
        "\
tabia cluster plan lichess/*.pgn.zst -o games.table --max-ply 40 --shards 1024
tabia cluster plan --recipe masters.toml --chunk 256MiB",
    ),
    help(
        "cluster map",
        "chunk memory threads temp-dir",
        "tabia cluster map --chunk \"$(head -n 1 plan.jsonl)\" > rows.arrow",
    ),
    help(
        "cluster reduce",
        "plan attempt output memory threads temp-dir",
        "tabia cluster reduce --plan 0011223344556677-12 --attempt a1 -o games.table < rows.arrow",
    ),
    help("cluster commit", "output strict force", "tabia cluster commit -o games.table < parts.jsonl"),
    help(
        "cluster merge",
        "shard attempt output drop-groups force",
        "tabia cluster merge a.table b.table --shard 0 --attempt a1 -o c.table",
    ),
    help("learn", "", "tabia learn set --line \"e4 c5\" --value 75 -o x.experience.parquet"),
    help(
        "learn crafty",
        "output table continue min-games own-player family dedup rejects force",
        "\
tabia learn crafty *.lrn --table games.table -o x.experience.parquet
tabia learn crafty new.lrn --table games.table --continue x.experience.parquet -o y.experience.parquet",
    ),
    help(
        "learn games",
        "output table player continue rule search family min-games rejects force",
        "\
tabia learn games own.pgn --player MyEngine --table games.table -o x.experience.parquet
tabia learn games own.pgn --player MyEngine --table games.table --rule terra -o x.experience.parquet",
    ),
    help(
        "learn annotations",
        "output continue where since from-position rejects force",
        "tabia learn annotations lines.pgn -o x.experience.parquet   the marks ! and ? as values",
    ),
    help(
        "learn set",
        "line fen value priority from continue output force",
        "\
tabia learn set --line \"1. e4 c5\" --value 75 -o x.experience.parquet
tabia learn set --line \"e4 f6\" --value ? --continue x.experience.parquet -o y.experience.parquet
tabia learn set --from values.txt -o x.experience.parquet   a line a move: `e4 c5: 75, priority 4`",
    ),
    help("learn export", "", "tabia learn export crafty x.experience.parquet -o book.lrn"),
    help(
        "learn export crafty",
        "output as positions table min-games force",
        "\
tabia learn export crafty x.experience.parquet -o book.lrn
tabia learn export crafty x.experience.parquet --table games.table --as 15.17 -o book.lrn",
    ),
    help("experience", "", "tabia experience show x.experience.parquet --unplayable"),
    help(
        "experience show",
        "line fen unplayable kind value source table limit json",
        "\
tabia experience show x.experience.parquet --line \"e4 c5\"
tabia experience show x.experience.parquet --unplayable --limit 20",
    ),
    help(
        "experience merge",
        "output force",
        "tabia experience merge mine.experience.parquet yours.experience.parquet -o both.experience.parquet",
    ),
    help("experience diff", "", "tabia experience diff before.experience.parquet after.experience.parquet"),
    help(
        "experience age",
        "factor output force",
        "tabia experience age x.experience.parquet --factor 0.75 -o y.experience.parquet   a year older",
    ),
    help(
        "experience clear",
        "kind value source before all output force",
        "tabia experience clear x.experience.parquet --source old.lrn -o y.experience.parquet",
    ),
    help(
        "compact",
        "output experience min-games min-score min-share color top promote force",
        "\
tabia compact games.table -o book.tabia --min-games 5
tabia compact games.table --experience x.experience.parquet -o book.tabia --color white
tabia compact games.table -o small.tabia --top 3 --min-share 0.05",
    ),
    help("export", "", "tabia export polyglot book.tabia -o book.bin"),
    help(
        "export polyglot",
        "output weight policy set counts-only drop-unscored learn-field header force",
        "\
tabia export polyglot book.tabia -o book.bin
tabia export polyglot book.tabia --policy crafty -o crafty.bin   by what a policy plays
tabia export polyglot book.tabia --header -o book.bin   it says where it is from",
    ),
    help(
        "export abk",
        "output max-ply min-games max-records author force",
        "\
tabia export abk book.tabia -o book.abk
tabia export abk games.table -o games.abk --min-games 10 --max-ply 24
tabia export abk book.tabia -o small.abk --max-records 20000 --author \"Ada\"",
    ),
    help(
        "export json",
        "output memory force",
        "\
tabia export json book.tabia > book.jsonl
tabia export json book.tabia -o book.jsonl --memory 4GiB
tabia export json book.bin | grep 463b96181691fc9c   the first moves of a Polyglot book",
    ),
    help(
        "import abk",
        "output force",
        "\
tabia import abk Perfect2021.abk -o perfect.tabia   its moves; priorities become values set by hand
tabia import abk games.abk -o games.table   a table of its games and results",
    )
    .note("An ABK without wins and losses has no results to count: make a book of it."),
    help(
        "import ctg",
        "output force",
        "\
tabia import ctg book.ctg -o book.tabia   its moves, with annotations and recommendations
tabia import ctg book.ctg -o book.table   a table of its games and results",
    )
    .note("Only the .ctg file is read; its .cto and .ctb need not be there."),
    help(
        "import json",
        "output force",
        "\
tabia import json book.jsonl -o book.tabia
tabia import json - -o b.tabia < changed.jsonl   after `tabia export json a.tabia | jq -c …`
tabia import json weights.jsonl -o book.bin   of the text of a Polyglot book",
    ),
    help(
        "export parquet",
        "output key-type without month-folders experience memory threads force",
        "\
tabia export parquet games.table -o games   folders moves, positions and openings
tabia export parquet book.tabia -o book --key-type i64   for Spark",
    ),
    help(
        "export games",
        "output moves without min-elo since player dedup-games limit rejects force",
        "\
tabia export games games.pgn.zst -o games   a typed row a game
tabia export games games.pgn --without moves,clocks -o games",
    ),
    help(
        "export pgn",
        "output games line max-ply min-games min-share lines force",
        "\
tabia export pgn white.tabia -o white.pgn   one game with variations
tabia export pgn book.tabia -o lines.pgn --games lines --lines 500 --max-ply 24
tabia export pgn games.table -o sicilian.pgn --line \"e4 c5\" --min-games 100",
    ),
    help(
        "export epd",
        "output line max-ply min-games min-share lines force",
        "tabia export epd book.tabia -o positions.epd --min-games 50",
    ),
    help(
        "export csv",
        "output line max-ply min-games min-share lines force",
        "tabia export csv book.tabia -o book.csv --max-ply 20   a row a move, for spreadsheets",
    ),
    help(
        "filter",
        "output rest min-elo since player where dedup-games limit rejects force",
        "\
tabia filter a.pgn b.pgn.zst --dedup-games exact -o once.pgn.zst --rest others.pgn
tabia filter games.pgn --where 'WhiteElo >= 2400 and Event !~ \"Bullet\"' -o strong.pgn",
    ),
    help(
        "report",
        "output plies title line fen games force",
        "\
tabia report games.table -o report.html
tabia report book.tabia --line \"e4 c5\" --plies 8 --title \"Sicilian\" -o sicilian.html
tabia report games.table --games games -o report.html   games of `tabia export games`: time and mistakes",
    ),
    help(
        "suite",
        "output plies min-games min-share score draws lines spread compare seed force",
        "\
tabia suite games.table -o suite.epd --plies 8 --min-games 100
tabia suite games.table -o balanced.epd --plies 6..16 --score 0.45..0.55 --spread even
tabia suite games.table -o unbalanced.pgn --score 0.60..0.75 --draws 0.2..0.4 --lines 2000
tabia suite book.tabia -o suite.epd --line \"e4 c5\" --compare old.epd   how much both share
tabia suite book.bin -o suite.epd --plies 8 --min-share 0.05   positions that a Polyglot book plays",
    )
    .note("docs/suites.md has what cutechess and fastchess read of a suite."),
    help(
        "check",
        "color against only fail min-share min-games worse plies limit json",
        "\
tabia check white.tabia   all that can be told of it
tabia check white.tabia --against games.table --only holes --min-games 100   exit code 1 if there are any
tabia check book.bin --color black --fail repetitions,weights --json",
    )
    .note("docs/material.md says what each kind of finding is."),
    help(
        "edit",
        "output script color dry-run force",
        "\
tabia edit book.tabia \"add e4 c5 Nf3 d6: !\" \"drop d4 f5\" \"forbid g4\" -o new.tabia
tabia edit book.bin \"weigh e4: 40\" \"weigh d4: 60\" \"prune unreachable\" -o new.bin
tabia edit white.tabia --script spring.edits --color white -o new.tabia   an edit a line
tabia edit book.tabia \"drop e4 e5\" --dry-run   what would go",
    )
    .note("docs/edit.md says what each edit means in either format."),
    help(
        "diff",
        "output top min-games memory threads force json",
        "\
tabia diff 2022.table 2023.table   what a year changed
tabia diff old.bin new.bin --top 30
tabia diff mine.tabia games.table -o changes.parquet   every move that differs",
    ),
    help(
        "probe",
        "line fen policy set explain json",
        "\
tabia probe book.tabia --line \"1. e4 e5\"
tabia probe book.bin --fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"
tabia probe games.table --policy terra --set book-limit=33 --explain",
    ),
    help(
        "pick",
        "policy set line fen seed json",
        "tabia pick book.tabia --policy crafty --line \"e4 e5\" --seed 7",
    ),
    help(
        "policies",
        "json",
        "\
tabia policies   all of them
tabia policies crafty   the settings of one",
    ),
    help(
        "simulate",
        "policy set against games seed max-ply lines line svg json",
        "\
tabia simulate book.tabia --policy lokasoft --games 10000 --svg tree.svg
tabia simulate book.tabia --policy crafty --against terra --line \"e4\"",
    ),
    help(
        "uci",
        "engine policy set book-depth seed learn name exchange token-file",
        "\
tabia uci book.tabia --engine stockfish   a GUI's engine: book moves, then Stockfish
tabia uci book.tabia --engine \"./engine --uci\" --policy terra --set book-limit=40
tabia uci book.tabia --engine stockfish --learn x.experience.parquet   and it learns from each game
tabia uci book.bin   the book alone, to try it",
    )
    .note("In a GUI, name `tabia` as the engine's program and the rest as its parameters (docs/playing.md)."),
    help(
        "exchange",
        "table book listen tokens requests-a-minute max-record min-games rule family quiet",
        "\
tabia exchange shared --table games.table --min-games 3   for the programs of this machine
tabia exchange shared --book book.tabia --listen 0.0.0.0:9003 --tokens tokens.txt
tabia uci book.tabia --engine stockfish --learn x.experience.parquet --exchange http://127.0.0.1:9003",
    )
    .note(
        "A file of tokens has a line for each writer: its name, its token, and `all` if it may clear what\n\
         others wrote. docs/exchange.md has more.",
    ),
    help(
        "serve",
        "name listen experience tokens strict-filters half-life",
        "\
tabia serve book.tabia   to be seen at http://127.0.0.1:9002
tabia serve mine.tabia --name masters=twic.table --experience mine.experience.parquet
tabia serve games.table --half-life 3y   policies let old games count less",
    )
    .note(
        "curl 'http://127.0.0.1:9002/lichess?play=e2e4,c7c5' is answered as by Lichess's explorer. docs/serve.md has\n\
         the requests, and says how programs are told to ask here and not at Lichess.",
    ),
    help(
        "why",
        "line fen json",
        "\
tabia why book.tabia e4 c5   where the numbers of 1.e4 c5 came from
tabia why book.tabia 1. e4 c5 2. Nf3 --json",
    ),
    help(
        "dump",
        "color json",
        "\
tabia dump book.bin   lines for White, lines for Black, and what is in none
tabia dump book.bin --color black --json > lines.jsonl",
    ),
    help("info", "json", "tabia info book.tabia games.table book.bin"),
    help(
        "verify",
        "json threads",
        "\
tabia verify book.tabia games.table
tabia verify --json *.table   a JSON object a table",
    ),
    help("run", "counted memory threads force dry-run json", "tabia run pipelines/sample.toml --force"),
    help("plan", "", "tabia plan pipelines/sample.toml"),
    help(
        "sql",
        "",
        "\
tabia sql games.table > games.sql   then: duckdb -init games.sql
tabia sql jan > jan.sql             the same for an export
tabia sql                           the macros alone",
    )
    .note("docs/sql.md has the macros and views."),
    help(
        "completions",
        "",
        "\
tabia completions bash > ~/.local/share/bash-completion/completions/tabia
tabia completions zsh > ~/.zfunc/_tabia
tabia completions fish > ~/.config/fish/completions/tabia.fish",
    ),
    help(
        "manual",
        "format output force",
        "\
tabia manual -o man1   tabia.1, tabia-build.1, …
tabia manual --format markdown -o commands.md",
    ),
];
