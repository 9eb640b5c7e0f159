-- Tabia's keys, moves and counts in DuckDB: macros for exports, tables and whatever has their columns.
-- docs/sql.md describes each.

-- A move's two squares and promotion as Polyglot packs them; castling is the king's square and the rook's. No move: null.
CREATE OR REPLACE MACRO squares(move) AS
  CASE WHEN move <> 0 THEN chr(97 + ((move >> 6) & 7)) || chr(49 + ((move >> 9) & 7)) || chr(97 + (move & 7))
    || chr(49 + ((move >> 3) & 7)) || ['', 'n', 'b', 'r', 'q'][1 + (move >> 12)] END;

-- The same as UCI has it, castling as the king's two steps. Bits alone do not say which piece moves: e1h1, e1a1, e8h8 and
-- e8a8 are taken for castling. With the step of a table's row the answer is exact.
CREATE OR REPLACE MACRO uci(move) AS
    CASE move WHEN 263 THEN 'e1g1' WHEN 256 THEN 'e1c1' WHEN 3903 THEN 'e8g8' WHEN 3896 THEN 'e8c8' ELSE squares(move) END,
  (move, step) AS CASE WHEN ((step >> 9) & 7) = 6 THEN uci(move) ELSE squares(move) END;

-- Whose move it is, by the step of a table's row.
CREATE OR REPLACE MACRO turn_of(step) AS CASE WHEN step >= 32768 THEN 'white' WHEN step < 32768 THEN 'black' END;

-- A key as sixteen hexadecimal digits, signed keys too; and back. DuckDB's own hex() has capitals and no leading zeros.
CREATE OR REPLACE MACRO key_hex(key) AS
  printf('%016x', CASE WHEN key < 0 THEN key::HUGEINT + 18446744073709551616 ELSE key::HUGEINT END::UBIGINT);
CREATE OR REPLACE MACRO key_of(digits) AS ('0x' || digits)::UBIGINT;
CREATE OR REPLACE MACRO signed_key_of(digits) AS
  (('0x' || digits)::UBIGINT::HUGEINT - CASE WHEN digits >= '8' THEN 18446744073709551616 ELSE 0 END)::BIGINT;
CREATE OR REPLACE MACRO start_key() AS 5060803636482931868;

-- The points a game of the side to move ('white' or 'black'), 0 to 1; null without games.
CREATE OR REPLACE MACRO score(white, draws, black, turn) AS
  (CASE turn WHEN 'white' THEN white WHEN 'black' THEN black END + draws / 2) / nullif(white + draws + black, 0);

-- Wilson's 95 % interval of a score over a number of games; null without games.
CREATE OR REPLACE MACRO wilson_low(score, games) AS CASE WHEN games > 0 AND score >= 0 THEN
  greatest(0, (score + 1.9207294103470627 / games
    - 1.959963984540054 * sqrt(score * (1 - score) / games + 0.9603647051735313 / games / games))
    / (1 + 3.8414588206941254 / games)) END;
CREATE OR REPLACE MACRO wilson_high(score, games) AS CASE WHEN games > 0 AND score >= 0 THEN
  least(1, (score + 1.9207294103470627 / games
    + 1.959963984540054 * sqrt(score * (1 - score) / games + 0.9603647051735313 / games / games))
    / (1 + 3.8414588206941254 / games)) END;

-- The FEN of a position of an export: its EPD, clock 0, and the move number by the shortest way.
CREATE OR REPLACE MACRO fen(epd, ply) AS epd || ' 0 ' || (ply // 2 + 1);
