-- Tabia's keys, moves and counts in Spark SQL 4: functions for exports, tables and whatever has their columns.
-- docs/sql.md describes each. Spark reads a key as DECIMAL(20,0).

-- A move's two squares and promotion as Polyglot packs them; castling is the king's square and the rook's. No move: null.
CREATE OR REPLACE TEMPORARY FUNCTION squares(move INT) RETURNS STRING RETURN
  CASE WHEN move <> 0 THEN chr(97 + (shiftright(move, 6) & 7)) || chr(49 + (shiftright(move, 9) & 7)) || chr(97 + (move & 7))
    || chr(49 + (shiftright(move, 3) & 7)) || element_at(array('', 'n', 'b', 'r', 'q'), 1 + shiftright(move, 12)) END;

-- The same as UCI has it, castling as the king's two steps. Without the step of a table's row bits alone do not say which
-- piece moves: e1h1, e1a1, e8h8 and e8a8 are taken for castling.
CREATE OR REPLACE TEMPORARY FUNCTION uci(move INT, step INT DEFAULT NULL) RETURNS STRING RETURN
  CASE WHEN step IS NOT NULL AND (shiftright(step, 9) & 7) <> 6 THEN squares(move)
    WHEN move = 263 THEN 'e1g1' WHEN move = 256 THEN 'e1c1' WHEN move = 3903 THEN 'e8g8' WHEN move = 3896 THEN 'e8c8'
    ELSE squares(move) END;

-- Whose move it is, by the step of a table's row.
CREATE OR REPLACE TEMPORARY FUNCTION turn_of(step INT) RETURNS STRING RETURN
  CASE WHEN step >= 32768 THEN 'white' WHEN step < 32768 THEN 'black' END;

-- A key as sixteen hexadecimal digits, signed keys too, and back.
CREATE OR REPLACE TEMPORARY FUNCTION key_hex(key DECIMAL(20,0)) RETURNS STRING RETURN
  lower(lpad(hex(CAST(CASE WHEN key >= 9223372036854775808 THEN key - 18446744073709551616 ELSE key END AS BIGINT)), 16, '0'));
CREATE OR REPLACE TEMPORARY FUNCTION key_of(digits STRING) RETURNS DECIMAL(20,0) RETURN
  CAST(conv(digits, 16, 10) AS DECIMAL(20,0));
CREATE OR REPLACE TEMPORARY FUNCTION signed_key_of(digits STRING) RETURNS BIGINT RETURN
  CAST(CAST(conv(digits, 16, 10) AS DECIMAL(20,0)) - CASE WHEN digits >= '8' THEN 18446744073709551616 ELSE 0 END AS BIGINT);
CREATE OR REPLACE TEMPORARY FUNCTION start_key() RETURNS DECIMAL(20,0) RETURN CAST(5060803636482931868 AS DECIMAL(20,0));

-- The points a game of the side to move ('white' or 'black'), 0 to 1; null without games.
CREATE OR REPLACE TEMPORARY FUNCTION score(white DOUBLE, draws DOUBLE, black DOUBLE, turn STRING) RETURNS DOUBLE RETURN
  (CASE turn WHEN 'white' THEN white WHEN 'black' THEN black END + draws / 2) / nullif(white + draws + black, 0);

-- Wilson's 95 % interval of a score over a number of games; null without games.
CREATE OR REPLACE TEMPORARY FUNCTION wilson_low(score DOUBLE, games DOUBLE) RETURNS DOUBLE RETURN
  CASE WHEN games > 0 AND score >= 0 THEN greatest(0D, (score + 1.9207294103470627D / games
    - 1.959963984540054D * sqrt(score * (1 - score) / games + 0.9603647051735313D / games / games))
    / (1 + 3.8414588206941254D / games)) END;
CREATE OR REPLACE TEMPORARY FUNCTION wilson_high(score DOUBLE, games DOUBLE) RETURNS DOUBLE RETURN
  CASE WHEN games > 0 AND score >= 0 THEN least(1D, (score + 1.9207294103470627D / games
    + 1.959963984540054D * sqrt(score * (1 - score) / games + 0.9603647051735313D / games / games))
    / (1 + 3.8414588206941254D / games)) END;

-- The FEN of a position of an export: its EPD, clock 0, and the move number by the shortest way.
CREATE OR REPLACE TEMPORARY FUNCTION fen(epd STRING, ply INT) RETURNS STRING RETURN epd || ' 0 ' || (ply DIV 2 + 1);
