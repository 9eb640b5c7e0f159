//! The page that `tabia report` makes: what it shows, that it loads nothing, and that nothing written by
//! others runs in it.

use std::fs;

use crate::workbench::{Workbench, assert_has, sample};

const BY_ALL: &str = "--by speed,rating-band,month";
/// The bytes of a page at most.
const BYTES_MOST: usize = 1_500_000;

/// A page in its parts.
struct Page {
    /// The document without its script.
    html: String,
}

impl Page {
    fn read(bench: &Workbench, name: &str) -> Self {
        let text = bench.text(name);
        assert!(text.len() < BYTES_MOST, "{}", text.len());
        Self { html: without(&text, "script") }
    }

    /// A picture's markup.
    fn figure(&self, id: &str) -> Option<&str> {
        let (_, rest) = self.html.split_once(&format!("<figure id=\"{id}\""))?;
        rest.split("</figure>").next()
    }

    /// The texts that readers see who point at marks.
    fn titles(&self, id: &str) -> Vec<&str> {
        within(self.figure(id).unwrap(), "<title>", "</title>")
    }

    /// The games of all marks of the first chart of a picture.
    fn games(&self, id: &str) -> u64 {
        let chart = self.figure(id).unwrap().split("</svg>").next().unwrap();
        let games = |title: &str| -> Option<u64> {
            title.lines().nth(1)?.split(' ').next()?.replace(',', "").parse().ok()
        };
        within(chart, "<title>", "</title>").into_iter().filter_map(games).sum()
    }

    fn tree(&self) -> Vec<TreeBox<'_>> {
        let (_, boxes) = self.figure("tree").unwrap().split_once("class=\"boxes\"").unwrap();
        boxes.split("<svg ").skip(1).map(TreeBox).collect()
    }
}

/// A box of the tree.
struct TreeBox<'p>(&'p str);

impl<'p> TreeBox<'p> {
    fn label(&self) -> &'p str {
        let (_, text) = self.0.split_once("<text").unwrap();
        within(text, ">", "</text")[0]
    }

    fn title(&self) -> &'p str {
        within(self.0, "<title>", "</title>")[0]
    }

    /// The number of the box before it.
    fn up(&self) -> Option<usize> {
        within(self.0, "data-up=\"", "\"").first().map(|up| up.parse().unwrap())
    }

    /// Where it begins and ends, in percent of the picture's height.
    fn ends(&self) -> [f64; 2] {
        let [y, height] =
            [" y=\"", " height=\""].map(|name| within(self.0, name, "%\"")[0].parse::<f64>().unwrap());
        [y, y + height]
    }
}

/// What is between each `open` and the next `close`.
fn within<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    text.split(open).skip(1).filter_map(|part| Some(part.split_once(close)?.0)).collect()
}

/// A document without the content of elements of one name.
fn without(html: &str, element: &str) -> String {
    let (open, close) = (format!("<{element}"), format!("</{element}>"));
    let mut parts = html.split(open.as_str());
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once(close.as_str()).unwrap().1)
}

fn with_table(options: &str) -> Workbench {
    let bench = Workbench::with_sample();
    bench.ok(&format!("count sample.pgn -o games.table {options}"));
    bench
}

/// Every element that is opened is closed, in the right order.
fn assert_well_formed(html: &str) {
    const VOID: [&str; 2] = ["meta", "!DOCTYPE"];
    let (html, mut open) = (without(html, "style"), Vec::new());
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        assert!(!text.contains('>'), "a stray > after <{tag}>: {text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            None if VOID.contains(&name) || tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn a_grouped_table_is_drawn_by_every_dimension() {
    let bench = with_table(BY_ALL);
    bench.ok("report games.table -o report.html");
    let page = Page::read(&bench, "report.html");
    assert_well_formed(&page.html);
    for heading in ["The opening tree", "By rating band", "By speed", "By month", "Games that do not count"] {
        assert!(page.html.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert!(page.html.contains("<dt>Games counted</dt><dd>2,400</dd>"), "{}", page.html);
    for id in ["rating-band", "speed", "month"] {
        assert_eq!(page.games(id), 2400, "{id}");
    }
}

#[test]
fn what_was_learned_stands_in_the_boxes() {
    let bench = with_table("");
    bench.write("values", "e4: !\ne4 c5: priority 4\n");
    bench.ok("learn set --from values -o y.experience.parquet");
    bench.ok("report games.table --experience y.experience.parquet -o table.html");
    bench.ok("compact games.table --experience y.experience.parquet -o book.tabia");
    bench.ok("report book.tabia -o book.html");
    for name in ["table.html", "book.html"] {
        let page = Page::read(&bench, name);
        let tree = page.tree();
        assert!(tree.iter().any(|it| it.label() == "e4!"), "{name}");
        assert!(tree.iter().any(|it| it.title().ends_with("\npriority 4")), "{name}");
        assert!(page.html.contains("known besides"), "{name}");
    }
    bench.fails("report book.tabia --experience y.experience.parquet -o again.html", 2);
}

#[test]
fn a_table_that_is_not_grouped_has_its_tree_alone() {
    let bench = with_table("");
    bench.ok("report games.table -o report.html --plies 3");
    let page = Page::read(&bench, "report.html");
    assert_well_formed(&page.html);
    assert!(!page.html.contains("<h2>By "), "{}", page.html);
    assert!(page.html.contains("Every game of the inputs counts."), "{}", page.html);
    assert_eq!(within(&page.html, "<figure id=\"", "\""), ["tree"]);
}

#[test]
fn the_tree_has_the_moves_that_a_probe_has_and_boxes_that_fit() {
    let bench = with_table("");
    bench.ok("report games.table -o report.html");
    let page = Page::read(&bench, "report.html");
    let tree = page.tree();
    let probed = bench.json("probe games.table");
    let first: Vec<_> = tree.iter().filter(|it| it.up() == Some(0)).collect();
    // Moves of one game in a thousand are drawn: of 2,400 games, three.
    let mut drawn = 0;
    for mv in probed["moves"].as_array().unwrap() {
        let is_drawn = first.iter().any(|it| mv["san"] == it.label());
        assert_eq!(is_drawn, mv["games"].as_u64() >= Some(3), "{mv}");
        drawn += usize::from(is_drawn);
    }
    assert_eq!(drawn, first.len());
    let mut free = vec![0.0; tree.len()];
    for (at, it) in tree.iter().enumerate() {
        let [top, bottom] = it.ends();
        free[at] = top;
        let Some(up) = it.up() else {
            assert_eq!((at, top, bottom), (0, 0.0, 100.0));
            continue;
        };
        // Boxes that follow the same move are side by side within it; places are rounded.
        assert!(up < at && free[up] <= top + 1e-3 && bottom <= tree[up].ends()[1] + 1e-3, "{}", it.title());
        free[up] = bottom;
    }
    assert!(tree.len() > 200, "{}", tree.len());
}

/// Positions of a table are looked up, a book and the runs of a count are read whole: all give the same page.
#[test]
fn a_book_and_the_runs_of_a_count_are_drawn_as_their_table_is() {
    let bench = with_table(BY_ALL);
    bench.ok("report games.table -o table.html");
    bench.ok("compact games.table -o book.tabia");
    bench.ok("report book.tabia -o book.html");
    let [of_book, of_table] = ["book.html", "table.html"].map(|name| Page::read(&bench, name));
    assert!(of_book.figure("tree").is_some() && of_book.figure("tree") == of_table.figure("tree"));
    bench.write(
        "runs.toml",
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['sample.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nby = ['speed', 'rating-band', 'month']\n\
         [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n\
         [stage.report]\nkind = 'report'\ninputs = ['tally']\noutput = 'runs.html'\n",
    );
    bench.ok("run runs.toml");
    assert!(bench.read("runs.html") == bench.read("table.html"));
}

#[test]
fn the_bytes_do_not_depend_on_threads_and_memory() {
    let bench = with_table(BY_ALL);
    bench.ok("compact games.table -o book.tabia --min-games 2");
    for input in ["games.table", "book.tabia"] {
        bench.ok(&format!("report {input} -o one.html -j 1 --force"));
        bench.ok(&format!("report {input} -o four.html -j 4 --force"));
        assert!(bench.read("one.html") == bench.read("four.html"), "{input}");
        bench.ok(&format!("report {input} -o small.html -j 1 --memory 24MiB --force"));
        assert!(bench.read("one.html") == bench.read("small.html"), "{input}");
    }
}

#[test]
fn a_line_begins_the_tree_and_what_is_counted_from_it() {
    let bench = with_table(BY_ALL);
    bench.ok_at("report games.table -o report.html", "1. e4 c5");
    let page = Page::read(&bench, "report.html");
    assert!(page.html.contains("<th scope=\"row\" class=\"text\">Nf3</th>"), "{}", page.html);
    assert!(page.html.contains("<dd>1. e4 c5, B20 Sicilian Defense</dd>"), "{}", page.html);
    let columns = within(page.figure("tree").unwrap(), "y=\"12\">", "<");
    assert_eq!(columns[..3], ["2.", "2...", "3."]);
    assert!(page.tree()[1].title().starts_with("2. Nf3\n"), "{}", page.tree()[1].title());
    assert_has(
        &page.html,
        ["1. e4 c5 2. Nf3 Nc6 3. d4 cxd4 4. Nxd4 g6\nB32 Sicilian Defense: Accelerated Dragon"],
    );
    let probed = bench.probe("games.table", "e4 c5");
    let games: u64 =
        ["white", "draws", "black"].map(|result| probed["tally"][result].as_u64().unwrap()).iter().sum();
    assert_eq!(page.games("speed"), games, "{probed}");
}

#[test]
fn rejected_and_filtered_games_are_shown_by_reason() {
    let bench = Workbench::with(
        "games.pgn",
        "[Event \"a\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n\n1. e4 1-0\n\n\
         [Event \"b\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2500\"]\n\n1. e5 1-0\n\n\
         [Event \"c\"]\n[Result \"1-0\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n1. e4 1-0\n\n",
    );
    bench.ok("count games.pgn -o games.table --min-elo 2000");
    bench.ok("report games.table -o report.html");
    let page = Page::read(&bench, "report.html");
    assert!(
        page.html.contains(
            "Left out: 2 of 3 games. Rejected, because they cannot be read as intended: 1. Filtered,"
        ),
        "{}",
        page.html
    );
    assert_eq!(page.titles("left-out"), ["illegal-move: 1", "min-elo: 1"]);
}

#[test]
fn nothing_is_loaded_and_nothing_foreign_runs() {
    let bench = Workbench::new();
    let name = "<img src=x onerror=alert(1)> & \"co\".pgn";
    bench.write(name, fs::read(sample()).unwrap());
    bench.command("count -o games.table").arg(name).assert().success();
    bench
        .command("report games.table -o report.html --title")
        .arg("</title><script>alert(2)</script>")
        .assert()
        .success();
    let text = bench.text("report.html");
    let page = Page::read(&bench, "report.html");
    assert_well_formed(&page.html);
    assert!(!text.contains("<img") && !text.contains("alert(2)</script>"));
    assert_has(&page.html, ["&#60;img src=x onerror=alert(1)&#62; &#38; &#34;co&#34;.pgn"]);
    for load in ["src=\"", "href=", "url(", "@import", "http:", "https:", "<link", "<iframe"] {
        assert!(!page.html.contains(load), "{load}");
    }
    // One script of ours, which opens boxes and shows a board.
    assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (1, 1));
    assert!(text.contains("default-src 'none'"));
}

#[test]
fn wrong_wishes_are_refused() {
    let bench = with_table("");
    for plies in [0, 17] {
        let error = bench.fails(&format!("report games.table -o report.html --plies {plies}"), 2);
        assert!(error.contains("--plies: must be 1 to 16"), "{error}");
    }
    bench.assert_fails(
        "report games.table -o report.html --line e5",
        2,
        ["`e5` is not a legal move in rnbq"],
    );
    bench.fails("report nothing.table -o report.html", 1);
    bench.write("report.html", "mine");
    bench.assert_fails("report games.table -o report.html", 2, ["already exists"]);
    assert_eq!(bench.text("report.html"), "mine");
}

#[test]
fn counts_from_a_position_need_it_named() {
    let bench = with_table("--line e4");
    bench.assert_fails("report games.table -o report.html", 2, ["823c9b50fd114196"]);
    bench.ok("report games.table -o report.html --line e4");
    assert!(Page::read(&bench, "report.html").html.contains("<th scope=\"row\" class=\"text\">c5</th>"));
}

#[test]
fn a_table_without_games_still_makes_a_page() {
    let bench = Workbench::with("games.pgn", "[Event \"broken\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n");
    bench.ok("count games.pgn -o games.table --by month --allow-empty");
    let output = bench.run("report games.table -o report.html");
    assert!(String::from_utf8(output.stderr).unwrap().contains("warning: no counted game"));
    let page = Page::read(&bench, "report.html");
    assert_well_formed(&page.html);
    assert!(page.html.contains("No counted game goes on from this position."), "{}", page.html);
}

/// A game whose moves after the fourth each lose ten hundredths for White and twenty for Black, on clocks.
fn game_with_numbers(event: usize) -> String {
    let moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5 g5 b4";
    let tags = format!(
        "[Event \"{event}\"]\n[WhiteElo \"1500\"]\n[BlackElo \"2100\"]\n[TimeControl \"600+5\"]\n[Result \"1-0\"]\n\n"
    );
    let mut eval = 0;
    let written = moves.split(' ').enumerate().map(|(ply, san)| {
        eval += if ply % 2 == 0 { -10 } else { 20 };
        let clock = 600 - 6 * (ply / 2);
        let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
        let (pawns, minutes, seconds) = (f64::from(eval) / 100.0, clock / 60, clock % 60);
        format!("{number}{san} {{ [%eval {pawns}] [%clk 0:{minutes:02}:{seconds:02}] }}")
    });
    let written: Vec<_> = written.collect();
    format!("{tags}{} 1-0\n\n", written.join(" "))
}

/// Evaluations and clocks of exported games are box plots by opening.
#[test]
fn exported_games_add_box_plots_of_mistakes_and_time() {
    let bench = Workbench::with("games.pgn", (0..30).map(game_with_numbers).collect::<String>());
    bench.ok("count games.pgn -o games.table");
    bench.ok("export games games.pgn -o games");
    bench.ok("report games.table --games games -o page.html");
    let page = Page::read(&bench, "page.html");
    assert_well_formed(&page.html);
    let medians = |id: &str| -> Vec<_> {
        let of = |title: &str| {
            let (first, rest) = title.split_once(" numbers\nmedian ").unwrap();
            let (box_, _) = first.rsplit_once(": ").unwrap();
            format!("{box_}: {}", rest.lines().next().unwrap())
        };
        page.titles(id).into_iter().map(of).collect()
    };
    assert_eq!(medians("losses"), ["1.e4 c5, rated below 1600: 10.0", "1.e4 c5, 2000 and more: 20.0"]);
    // Nine moves of six seconds and their increments, of 600.
    assert_eq!(medians("times"), ["1.e4 c5, White: 16.5", "1.e4 c5, Black: 16.5"]);
    assert!(page.html.contains("What moves lose, by opening and rating"), "{}", page.html);
}

#[test]
fn games_without_numbers_add_nothing_and_other_folders_are_refused() {
    let bench = with_table("");
    bench.ok("export games sample.pgn -o games");
    let said = bench.said("report games.table --games games -o page.html");
    assert!(said.contains("warning: the exported games have too few evaluations and clocks"), "{said}");
    assert!(Page::read(&bench, "page.html").figure("losses").is_none());
    bench.ok("report games.table -o plain.html");
    let pages = ["page.html", "plain.html"].map(|name| bench.read(name));
    assert!(pages[0] == pages[1]);
    bench.ok("export games sample.pgn --without clocks -o less");
    for (folder, says) in [("games.table", "No such file"), ("less", "expected the columns")] {
        let error = bench.fails(&format!("report games.table --games {folder} -o x.html"), 1);
        assert!(error.contains("cannot read exported games in") && error.contains(says), "{error}");
    }
}
