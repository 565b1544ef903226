// The browser's fold of the move log: givens and numbered moves in, the board out. docs/move-log.md is the only
// definition; webapp/game/board.py is the server's implementation. No DOM, no network, no clock, and of the rules of
// Sudoku only rows, columns and boxes.

export const CELLS = [...Array(81).keys()];
export const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
export const rowOf = (cell) => Math.floor(cell / 9);
export const columnOf = (cell) => cell % 9;
export const boxOf = (cell) => 3 * Math.floor(cell / 27) + Math.floor((cell % 9) / 3);
const together = (a, b) => rowOf(a) === rowOf(b) || columnOf(a) === columnOf(b) || boxOf(a) === boxOf(b);
export const PEERS = CELLS.map((cell) => CELLS.filter((other) => other !== cell && together(cell, other)));

// Marks are bit sets: bit d is digit (or color) d.
const ALL = 0b1111111110;
export const has = (mask, digit) => (mask >> digit) & 1;
export const digitsIn = (mask) => DIGITS.filter((digit) => has(mask, digit));

export class Refused extends Error {}

/** Return a game without moves. givens: 81 characters, '.' or '0' for an empty cell. */
export function begin(givens) {
  const digits = Uint8Array.from(givens, (character) => Number(character) || 0);
  const marks = () => new Uint16Array(81);
  return {
    seq: 0,
    given: digits.map(Boolean),
    board: {
      digits, corner: marks(), centre: marks(), struck: marks(), colours: marks(),
      tints: new Uint16Array(81 * 10), // the colors of candidate d of cell c, at 10 c + d
      fill: 0, // the digits with auto candidates on
      swept: Array(81).fill(null), // for each placed digit, {corner, centre}: the cells whose marks it removed
    },
    past: null, // linked lists {board, rest}: a snapshot costs one copy of the board and no log is ever replayed
    future: null,
    keeps: false, // whether placing a digit leaves its peers' marks
    paused: false,
    assisted: false,
    solved: false,
  };
}

/** Return the game after one move [seq, kind, cell, digit]; the given game is unchanged. Throws Refused. */
export function after(game, [seq, kind, cell = "", digit = ""]) {
  const move = read(kind, String(cell ?? ""), Number(digit || 0));
  if (game.solved) throw new Refused("finished");
  if (game.paused && kind !== "resume") throw new Refused("paused");
  const next = { ...game, seq };
  if (kind === "undo" || kind === "redo") {
    const [from, to] = kind === "undo" ? ["past", "future"] : ["future", "past"];
    if (!game[from]) return next;
    next.board = game[from].board;
    next[from] = game[from].rest;
    next[to] = { board: game.board, rest: game[to] };
  } else if (kind === "pause" || kind === "resume") {
    next.paused = kind === "pause";
  } else if (kind === "keep") {
    next.keeps = !game.keeps;
  } else if (kind === "hint" || kind === "check") {
    next.assisted = game.assisted || kind === "check" || move.digit > 1; // where to look is no help
  } else {
    if (kind !== "colour" && move.cells.some((named) => game.given[named])) throw new Refused("given");
    const board = copy(game.board);
    EVENTS[kind](board, move, game);
    if (same(board, game.board)) return next;
    next.board = board;
    next.past = { board: game.board, rest: game.past };
    next.future = null;
  }
  next.solved = next.board.digits.every(Boolean) && !conflicts(next.board.digits).some(Boolean);
  return next;
}

/** Return the game after a whole log; moves: [[seq, kind, cell, digit], ...]. */
export const fold = (givens, moves) => moves.reduce(after, begin(givens));

/** Return for each cell 1 if another cell of one of its houses has the same digit, else 0. */
export function conflicts(digits) {
  return digits.map((digit, cell) => Number(digit > 0 && PEERS[cell].some((peer) => digits[peer] === digit)));
}

/** Return for each cell the open auto candidates, and the struck ones among these or the corner marks. */
export function candidates({ board, given }, conflicting = conflicts(board.digits)) {
  return CELLS.map((cell) => {
    if (board.digits[cell]) return { open: 0, struck: 0 };
    let seen = 0;
    for (const peer of PEERS[cell]) if (given[peer] || !conflicting[peer]) seen |= 1 << board.digits[peer];
    const [shown, struck] = [board.centre[cell] ? 0 : board.fill & ~seen, board.struck[cell]];
    return { open: shown & ~struck, struck: (shown | board.corner[cell]) & struck };
  });
}

const SHAPES = {
  // kind: [takes cells, least digit (0: may be empty), greatest digit]
  digit: [true, 1, 9], corner: [true, 0, 9], centre: [true, 0, 9], colour: [true, 0, 9], strike: [true, 1, 9],
  fill: [false, 0, 9], erase: [true, 0, 0], undo: [false, 0, 0], redo: [false, 0, 0], keep: [false, 0, 0], pause: [false, 0, 0],
  resume: [false, 0, 0], hint: [false, 0, 4], check: [false, 0, 0],
};

const PLACE = /^(\d|[1-7]\d|80)(:[1-9])?$/; // a cell, or one of its candidates

function read(kind, cell, digit) {
  if (!Object.hasOwn(SHAPES, kind)) throw new Refused("kind");
  const [takesCells, least, greatest] = SHAPES[kind];
  if (!Number.isInteger(digit) || digit < least || digit > greatest) throw new Refused("digit");
  const items = cell === "" ? [] : cell.split(",");
  const named = items.filter((item) => item.includes(":"));
  const valid = items.every((item) => PLACE.test(item)) && (kind === "colour" || !named.length) && new Set(items).size === items.length;
  if (!valid || takesCells !== items.length > 0) throw new Refused("cell");
  return {
    digit,
    cells: items.filter((item) => !named.includes(item)).map(Number),
    named: named.map((item) => Number(item.replace(":", ""))), // 10 c + d
  };
}

const EVENTS = {
  digit(board, { cells, digit }, { keeps }) {
    lift(board, cells, digit);
    if (keeps) return;
    const conflicting = conflicts(board.digits);
    for (const cell of cells) if (!conflicting[cell]) sweep(board, cell, digit);
  },
  corner: (board, move) => mark(board, board.corner, move),
  centre: (board, move) => mark(board, board.centre, move),
  strike: (board, { cells, digit }) => toggle([[board.struck, cells]], digit),
  colour(board, { cells, named, digit }) {
    if (digit) return toggle([[board.colours, cells], [board.tints, named]], digit);
    for (const place of named) board.tints[place] = 0;
    for (const cell of cells) {
      board.colours[cell] = 0;
      board.tints.fill(0, 10 * cell, 10 * cell + 10);
    }
  },
  fill(board, { digit }) {
    if (digit) board.fill ^= 1 << digit;
    else board.fill = board.fill === ALL ? 0 : ALL;
  },
  erase(board, { cells }, { given }) {
    const placed = cells.filter((cell) => board.digits[cell] && !given[cell]);
    lift(board, placed, 0);
    if (!placed.length) for (const cell of cells) board.corner[cell] = board.centre[cell] = board.struck[cell] = 0;
  },
};

/** Put `digit`, or 0, into cells; a removed digit restores the marks it removed, unless another digit forbids them. */
function lift(board, cells, digit) {
  const gone = cells.map((cell) => [cell, board.digits[cell]]).filter(([, old]) => old && old !== digit);
  for (const cell of cells) board.digits[cell] = digit;
  for (const [cell, old] of gone) {
    for (const [kind, peers] of Object.entries(board.swept[cell] ?? {})) {
      for (const peer of peers) if (!PEERS[peer].some((other) => board.digits[other] === old)) board[kind][peer] |= 1 << old;
    }
    board.swept[cell] = null;
  }
}

/** Remove the marks of a placed digit from its peers, and record which. */
function sweep(board, cell, digit) {
  const found = (kind) => PEERS[cell].filter((peer) => has(board[kind][peer], digit));
  const [corner, centre] = [found("corner"), found("centre")];
  if (!corner.length && !centre.length) return;
  for (const peer of corner) board.corner[peer] &= ~(1 << digit);
  for (const peer of centre) board.centre[peer] &= ~(1 << digit);
  const before = board.swept[cell] ?? { corner: [], centre: [] };
  board.swept[cell] = { corner: [...before.corner, ...corner], centre: [...before.centre, ...centre] };
}

function mark(board, marks, { cells, digit }) {
  if (digit) toggle([[marks, cells.filter((cell) => !board.digits[cell])]], digit);
  else for (const cell of cells) marks[cell] = 0;
}

/** Clear the bit everywhere if it is set everywhere, else set it everywhere. */
function toggle(groups, digit) {
  const all = groups.every(([marks, places]) => places.every((place) => has(marks[place], digit)));
  for (const [marks, places] of groups) {
    for (const place of places) marks[place] = all ? marks[place] & ~(1 << digit) : marks[place] | (1 << digit);
  }
}

const copy = (board) => Object.fromEntries(Object.entries(board).map(([key, part]) => [key, part.slice?.() ?? part]));

const same = (a, b) =>
  Object.keys(a).every((key) => a[key] === b[key] || (a[key].every?.((value, place) => value === b[key][place]) ?? false));
