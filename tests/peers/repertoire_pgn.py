"""A repertoire as people write it, made by chance from a seed: the same text each time.

Variations in variations, marks, comments, records from a FEN, and lines that meet again by another
order of moves.
"""

import random

import chess
import chess.pgn

MARKS = (chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_SPECULATIVE_MOVE)
NOTES = ("main line (not a line)", "1. e4 is no move here", "the plan: ...c5", "see page 12; then Nf3")
# Moves that a line chooses from: few, so that lines meet again.
CHOICES = 4
DEPTH_MAX = 3
FENS = (
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 40",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
    "8/2k1P3/8/8/8/8/3p1K2/8 b - - 0 60",
)


def choices(board: chess.Board) -> list[chess.Move]:
    """A few moves of a position, those of the centre and of pieces first."""
    middle = [3, 4, 2, 5, 1, 6, 0, 7]

    def rank(move: chess.Move) -> tuple[int, int, str]:
        file = middle.index(chess.square_file(move.to_square))
        return (not board.is_castling(move), file + abs(3 - chess.square_rank(move.to_square)), move.uci())

    return sorted(board.legal_moves, key=rank)[:CHOICES]


def grow(node: chess.pgn.GameNode, plies: int, depth: int, chance: random.Random) -> None:
    """Adds a line below a position, with variations beside its moves."""
    for _ in range(plies):
        moves = choices(node.board())
        if not moves:
            return
        chance.shuffle(moves)
        main = node.add_main_variation(moves[0])
        if chance.random() < 0.1:
            main.nags.add(chance.choice(MARKS))
        if chance.random() < 0.05:
            main.comment = chance.choice(NOTES)
        if depth < DEPTH_MAX:
            for other in moves[1:]:
                if chance.random() < 0.08:
                    side = node.add_variation(other)
                    grow(side, chance.randint(1, 8), depth + 1, chance)
        node = main


def records(count: int, seed: int) -> list[chess.pgn.Game]:
    """That many records."""
    chance, made = random.Random(seed), []
    for number in range(count):
        game = chess.pgn.Game()
        if number % 20 == 19:
            game.setup(FENS[number // 20 % len(FENS)])
        game.headers["Event"] = f"Page {number + 1}"
        game.headers["Result"] = "*"
        grow(game, chance.randint(6, 24), 0, chance)
        made.append(game)
    return made


def text(made: list[chess.pgn.Game]) -> str:
    """The records as PGN."""
    return "\n\n".join(str(game) for game in made) + "\n"
