/** What the server answers: docs/serve.md. */

export interface Artefact {
  name: string;
  kind: 'book' | 'table' | 'polyglot';
  default: boolean;
  games: number | null;
  positions: number | null;
  editable: boolean;
  rated: boolean;
  groups: Groups;
}

/** The values of the groups that games were counted by; empty where they were not. */
export interface Groups {
  speeds: string[];
  ratings: number[];
  months: string[];
}

export interface Outcomes {
  white: number;
  draws: number;
  black: number;
}

export interface Tally extends Outcomes {
  games: number;
}

export interface Month extends Outcomes {
  /** `2013-01`. */
  month: string;
}

export interface Band extends Outcomes {
  /** The lower bound of the players' mean rating. */
  band: number;
}

export interface Opening {
  eco: string;
  name: string;
}

/** An opening, and moves in UCI notation that lead to it, with commas between. */
export interface FoundOpening extends Opening {
  play: string;
}

export interface FoundOpenings {
  openings: FoundOpening[];
  /** False if the search was stopped early, or there are more. */
  complete: boolean;
}

/** What is known of a move beyond counts. */
export interface Known {
  kind: 'book' | 'postbook' | 'position' | 'evaluation' | 'minimax';
  learn?: number;
  learn_count?: number;
  playable: boolean;
  own?: { wins: number; draws: number; losses: number };
  user_value?: number;
  priority?: number;
  mark?: string;
  eval?: number;
  mate?: number;
  depth?: number;
  sources: { source: string; value: string; count: number; last?: string }[];
}

export interface ProbedMove extends Partial<Tally> {
  san: string | null;
  uci: string;
  /** Of the side to move, 0 to 1. */
  score: number | null;
  average_elo?: number;
  performance?: number;
  /** In Polyglot books. */
  weight?: number;
  known?: Known;
  /** What an engine said of the move. */
  evaluation?: Known;
  /** What evaluations of later positions are worth for it. */
  minimax?: Known;
  opening: Opening | null;
  history?: Month[];
}

export interface Probe {
  source: string;
  fen: string;
  key: string;
  found: boolean;
  tally: Tally | null;
  moves: ProbedMove[];
  beyond?: ({ mv: string | null } & Known)[];
  choice?: Choice;
  opening: Opening | null;
  line: string;
  ignored: string[];
  history?: Month[];
  bands?: Band[];
}

/** How a policy chooses in a position. */
export interface Choice {
  policy: string;
  source: string;
  settings: Record<string, string>;
  moves: ChosenMove[];
  figures: Record<string, number>;
  notes: string[];
}

export interface ChosenMove {
  san: string;
  uci: string;
  in_book: boolean;
  probability: number;
  excluded?: { rule: string; source: string };
  group?: string;
  target?: Tally | null;
  scores: Record<string, number>;
}

export interface Policy {
  name: string;
  about: string;
  source: string;
  parameters: Parameter[];
  moves: { uci: string; san: string; chance: number }[];
  excluded: { uci: string; san: string; rule: string }[];
  notes: string[];
  error: string | null;
}

export interface Parameter {
  name: string;
  about: string;
  default: string | null;
  range: string;
}

/** Where the numbers of a move came from. */
export interface Why extends Partial<Tally> {
  san: string;
  uci: string;
  counted: { sources: string[]; keeps: string };
  known: Known[];
}

export interface Comparison {
  ours: string;
  theirs: string;
  found: { ours: boolean; theirs: boolean };
  moves: ComparedMove[];
}

export interface ComparedMove {
  uci: string;
  san: string;
  ours: ComparedSide | null;
  theirs: ComparedSide | null;
  difference: number;
}

export interface ComparedSide {
  games: number | null;
  share: number;
  score: number | null;
  weight: number | null;
}

export interface Holes {
  color: 'white' | 'black';
  ours: string;
  against: string;
  /** False if `against` has no moves of the opponent. */
  checked: boolean;
  positions: number;
  complete: boolean;
  holes: Hole[];
}

export interface Hole {
  line: string;
  play: string;
  fen: string;
  san: string;
  share: number;
  games: number;
  reach: number;
}

/** Games of a position that the table keeps. */
export interface Games {
  top: PlayedGame[];
  recent: PlayedGame[];
}

export interface PlayedGame {
  san: string;
  id: string;
  winner: 'white' | 'black' | null;
  white: GamePlayer;
  black: GamePlayer;
  year?: number;
  /** `2013-05`. */
  month?: string;
}

export interface GamePlayer {
  name: string;
  /** 0 if it is not known. */
  rating: number;
}

/** A setting of a move, as `tabia learn set` takes it. */
export interface Setting {
  move: string;
  value?: number | string;
  priority?: number;
}
