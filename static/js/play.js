// The playing board: creates the state (state.js) and connects it with the page, the server and the clock.

import { keepAwake } from "./awake.js";
import { copies } from "./clipboard.js";
import { listen } from "./events.js";
import { CELLS } from "./fold.js";
import { notes } from "./notes.js";
import { choose, extend } from "./selection.js";
import { readPhrases, speaker } from "./speech.js";
import { initial, reportMistake, learn, redraw } from "./state.js";
import { connect } from "./sync.js";
import { startClock } from "./time.js";
import { changed, left, offered, returned, slept } from "./updates.js";
import { renderer } from "./view.js";

export function play(root) {
  const $ = (selector) => root.querySelector(selector);
  const board = $("#board");
  const phrase = readPhrases($("#phrases"));
  const say = speaker($("#speech"));
  const state = initial({
    root, phrase, say, view: renderer(root, phrase),
    mode: $(".modes [aria-pressed=true]").value, solved: board.dataset.state === "solved",
  });

  // The links are for pages without JavaScript; without an href they are neither links nor tab stops.
  for (const link of board.querySelectorAll("a[href]")) link.removeAttribute("href");

  state.link = connect(root, { phrase, on: {
    changed: () => changed(state),
    offered: (mine, apart) => offered(state, mine, apart),
    left: () => left(state),
    returned: () => returned(state),
    reached: () => state.seen && redraw(state),
  } });
  const { link } = state;
  const named = Number((new URLSearchParams(location.search).get("cell") ?? root.dataset.cell) || "none");
  if (CELLS.includes(named)) {
    state.cursor = named;
    state.chosen.add(named);
  } else {
    state.cursor = Math.max(0, link.game.board.digits.indexOf(0));
  }
  state.help = notes(root, { link, phrase, say, on: {
    asked: (cells) => choose(state, cells),
    closed: () => extend(state, [], state.cursor),
  } });
  state.tick = startClock(() => board.dataset.state === "playing" && !link.game.solved, `${link.outbox.key}:time`, (since) => slept(state, since));
  keepAwake(() => link.game);
  learn(state, $("#wrong").dataset.pairs);
  reportMistake(state);
  redraw(state);
  if ("begun" in root.dataset) choose(state, [state.cursor]); // the keyboard goes on from Start
  if (link.cut) link.reach(false);
  link.offer();
  listen(state);
  copies(state);
}
