// What the server sends to the scripts of pages, and what their modules pass to each other. Python makes the JSON in
// matches/schemas/, matches/views/ and streams/schemas.py.

type Side = "yellow" | "red";
type Point = [x: number, y: number];
type Line = [side: string, x1: number, y1: number, x2: number, y2: number];
type Urls = Record<"match" | "moves" | "panels" | "updates" | "ahead" | "positions", string>;
type Units = Record<"d" | "h" | "min", string>;

/** The sentences of a page by key; `units` are abbreviations of units of time. */
interface Texts {
  [key: string]: any;
  units?: Units;
}

/** How a match stands now; `in_words` is the last position in sentences, null if it is that of an update. */
interface Standing {
  ply: number;
  status: string;
  stage: string;
  task: string;
  turn: Side | null;
  paused_at: string | null;
  turn_started_at: string;
  offer: { kind: string; by: Side } | null;
  take_backs: number;
  score: Record<Side, number>;
  clocks: Record<Side, { bank: number }>;
  in_words: string[] | null;
}

interface Match extends Standing {
  id: number;
  you: Side | null;
  players: Record<Side, { username: string }>;
  time_control: { bank: number; cap: number };
  in_words: string[];
}

interface Drawing {
  figures: Record<string, string | null>;
  looks: Record<string, string>;
  tallies: [side: Side, kind: string, text: string, label: string][];
  ball: string | null;
  shared: boolean;
  marks: string[];
  labels: Record<string, string>;
  waiting: { figure: string; side: Side; label: string }[];
  lines: Line[];
  latest: number;
}

/** What differs from the drawing before, of which so many lines are `kept`; a whole drawing keeps none, not even 0. */
interface ChangedDrawing extends Partial<Drawing> {
  kept?: number;
  lines: Line[];
  latest: number;
}

interface Trail {
  lines: [kind: string, piece: string, points: string][];
  touches: Point[];
  ends: string[];
}

/**
 * A position that a match has been through; `next` is the drawing after a goal has cleared the board, `roll` the HTML of a
 * roll that was a side's.
 */
interface Position {
  ply: number;
  stage: string;
  sentence: string;
  score: Record<Side, number>;
  in_words: string[];
  drawing: Drawing;
  next: Drawing | null;
  trail: Trail | null;
  roll: string | null;
}

/** What differs from the position before, without what there is not; a sentence that is the same is null. */
interface ChangedPosition extends Omit<Position, "drawing" | "next" | "in_words" | "trail" | "roll"> {
  drawing: ChangedDrawing;
  next?: ChangedDrawing;
  trail?: Trail;
  roll?: string;
  in_words: (string | null)[];
}

interface Step {
  text: string;
  space: string;
  final: boolean;
  label: string | null;
}

/** The steps that may follow each text. */
type Tree = Record<string, Step[]>;

/** A stage of a turn that puts figures on the board: `then` has the stage after it by the group of the chosen space. */
interface PlacingStage {
  task: string;
  then: Record<string, number | null>;
}

interface Placing {
  groups: Step[][];
  stages: PlacingStage[];
}

/**
 * What has happened in a match since a ply: positions, HTML of what has come into the rows of moves since ply
 * `rows_since`, and of the rolls that wait for a move, null if nothing has. `steps` and `placing` are for the side to act alone.
 */
interface MatchUpdate {
  since: number;
  match: Standing;
  positions: ChangedPosition[];
  rows_since: number;
  rows: string;
  rolls: string | null;
  steps?: Tree;
  placing?: Placing | null;
}

/** A stream's event of a match; what has happened comes with it where it is short. */
interface MatchEvent {
  match: number;
  update?: MatchUpdate;
  steps?: Tree;
  placing?: Placing | null;
}

/** A match, what the board shows of it, and what its viewer may click. */
interface MatchNow {
  match: Match;
  drawing: Drawing;
  in_words: string[];
  trail: Trail | null;
  steps: Tree;
  placing: Placing | null;
}

/** The data of a match page. */
interface MatchPage extends MatchNow {
  shown: number;
  stretch_length: number;
  now: string;
  urls: Urls;
  texts: Texts & { units: Units };
}

interface Guidance {
  task?: string;
  key?: string;
}

/** Why something was refused, with the broken rule or "". */
interface RefusedInput {
  rule: string;
  message: string;
}

interface StreamConfig {
  player: number | null;
  stream: string;
  turns: string;
  echoes: string;
  worker: string;
  most: number;
}

/** A message between tabs and hub: `type` says which members it has. */
interface StreamMessage {
  [member: string]: any;
  type: string;
}

/** A stream's event of a seek; its row in the lobby, and a sentence, come with it where it was sent to pages that show it. */
interface SeekEvent {
  seek: { id: number; is_rated: boolean; min_rating: number | null; max_rating: number | null };
  own?: boolean;
  row?: string;
  says?: string;
}

/** A stream's event of a group; the rows that have changed since results of a version come with it where they are short. */
interface TableEvent {
  slug: string;
  spread?: number;
  stage: number;
  group: number;
  results: number;
  rows?: string;
  rows_since?: number;
}

/** What a tab shows of matches and seeks, and the topics that its lists are of. */
interface Tab {
  matches: number[];
  topics: string[];
  at: number | null;
  leads: boolean;
  waiting: number[];
  echoes: boolean;
}

/**
 * A tab as it greets the hub, with the time since when it may have missed events, the last event that it knows, and the seeks
 * whose matches were opened.
 */
interface GreetingTab extends Tab {
  visible: boolean;
  since: number;
  after: string;
  handled: number[];
}

interface Taken {
  seek: number;
  match: number;
  /** The milliseconds since it was taken. */
  age: number;
}

interface Turns {
  player: number;
  count: number;
  label: string;
  taken: Taken[];
  pause: string;
}

/** The browser's event stream as other modules see it. */
interface EventStream {
  addEventListener(name: string, listener: (event: any) => void, options?: AddEventListenerOptions): void;
  join(tab?: Partial<Tab>): void;
  ask(): void;
}
