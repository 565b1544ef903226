// The browser's fold of the move log: givens and numbered moves in, the board out. docs/move-log.md is the one
// definition; the server's twin is webapp/game/board.py. No DOM, no network, no clock, and of the rules of
// Sudoku only rows, columns and boxes.

export const CELLS = [...Array(81).keys()];
export const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
export const rowOf = (cell) => Math.floor(cell / 9);
export const columnOf = (cell) => cell % 9;
export const boxOf = (cell) => 3 * Math.floor(cell / 27) + Math.floor((cell % 9) / 3);
const together = (a, b) => rowOf(a) === rowOf(b) || columnOf(a) === columnOf(b) || boxOf(a) === boxOf(b);
export const PEERS = CELLS.map((cell) => CELLS.filter((other) => other !== cell && together(cell, other)));

// Marks are bit sets: bit d stands for digit (or colour) d.
const ALL = 0b1111111110;
export const has = (mask, digit) => (mask >> digit) & 1;
export const digitsIn = (mask) => DIGITS.filter((digit) => has(mask, digit));

export class Refused extends Error {}

/** A game without moves. givens: 81 characters, '.' or '0' for an empty cell. */
export function begin(givens) {
  const digits = Uint8Array.from(givens, (character) => Number(character) || 0);
  const marks = () => new Uint16Array(81);
  return {
    seq: 0,
    given: digits.map(Boolean),
    board: {
      digits, corner: marks(), centre: marks(), struck: marks(), colours: marks(),
      tints: new Uint16Array(81 * 10), // the colours of candidate d of cell c, at 10 c + d
      fill: 0, // the digits whose layer of computed candidates is on
    },
    past: null, // linked lists {board, rest}: a snapshot costs one copy of the board and no log is ever replayed
    future: null,
    paused: false,
    assisted: false,
    solved: false,
  };
}

/** The game after one move [seq, kind, cell, digit]; the game it is given stays as it was. Throws Refused. */
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
  } else if (kind === "hint" || kind === "check") {
    next.assisted = true;
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

/** The game a whole log leads to; moves: [[seq, kind, cell, digit], ...]. */
export const fold = (givens, moves) => moves.reduce(after, begin(givens));

/** For each cell 1 where another cell of one of its houses holds the same digit, else 0. */
export function conflicts(digits) {
  return digits.map((digit, cell) => Number(digit > 0 && PEERS[cell].some((peer) => digits[peer] === digit)));
}

/** For each cell the computed candidates still open there, and those you struck, of these or of your corner marks. */
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
  fill: [false, 0, 9], erase: [true, 0, 0], undo: [false, 0, 0], redo: [false, 0, 0], pause: [false, 0, 0],
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
  digit(board, { cells, digit }) {
    for (const cell of cells) board.digits[cell] = digit;
    const conflicting = conflicts(board.digits);
    for (const cell of cells) {
      if (conflicting[cell]) continue;
      for (const peer of PEERS[cell]) {
        board.corner[peer] &= ~(1 << digit);
        board.centre[peer] &= ~(1 << digit);
      }
    }
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
    for (const cell of placed) board.digits[cell] = 0;
    if (!placed.length) for (const cell of cells) board.corner[cell] = board.centre[cell] = board.struck[cell] = 0;
  },
};

function mark(board, marks, { cells, digit }) {
  if (digit) toggle([[marks, cells.filter((cell) => !board.digits[cell])]], digit);
  else for (const cell of cells) marks[cell] = 0;
}

/** All or none: where every place has the bit it goes from all, else it comes to all. */
function toggle(groups, digit) {
  const all = groups.every(([marks, places]) => places.every((place) => has(marks[place], digit)));
  for (const [marks, places] of groups) {
    for (const place of places) marks[place] = all ? marks[place] & ~(1 << digit) : marks[place] | (1 << digit);
  }
}

const copy = (board) => Object.fromEntries(Object.entries(board).map(([key, part]) => [key, part.slice?.() ?? part]));

const same = (a, b) =>
  Object.keys(a).every((key) => a[key] === b[key] || (a[key].every?.((value, place) => value === b[key][place]) ?? false));
