// The commands of the board by name, for keys (keys.js) and button forms (data-command).

import { jump, target } from "./grid.js";
import { ask, sure } from "./help.js";
import { clearMarks, enter, erase, perform, restart } from "./moves.js";
import { answer, places } from "./queries.js";
import { choose, extend, select, toggleLock } from "./selection.js";
import { setting } from "./settings.js";
import { share } from "./share.js";
import { held, modeAfter, redraw } from "./state.js";

const stepped = ({ cursor }, where) => target(cursor, where);
const jumped = ({ cursor, link }, where) => jump(cursor, where, link.game.board.digits);

/** name -> function (state, value) */
export const COMMANDS = {
  move: (state, where) => choose(state, [stepped(state, where)]),
  jump: (state, where) => choose(state, [jumped(state, where)]),
  extend: (state, where) => extend(state, [state.cursor, stepped(state, where)]),
  "extend-jump": (state, where) => extend(state, [state.cursor, jumped(state, where)]),
  select,
  several(state) {
    state.several = !state.several;
    redraw(state);
  },
  digit: (state, digit) => enter(state, "digit", digit),
  corner: (state, digit) => enter(state, "corner", digit),
  centre: (state, digit) => enter(state, "centre", digit),
  colour: (state, digit) => enter(state, "colour", digit),
  press: (state, digit) => enter(state, state.mode, digit),
  key(state, digit) {
    if (setting("first") === "digit" || held(state)) toggleLock(state, digit);
    else enter(state, state.mode, digit);
  },
  lock: (state) => toggleLock(state, state.seen[state.cursor].digit || state.locked.digit),
  mode(state, which) {
    state.mode = modeAfter(state.mode, which);
    redraw(state);
    state.say(state.phrase("mode", { mode: state.view.modeName() }));
  },
  notes: (state) => COMMANDS.mode(state, state.mode === "digit" ? "corner" : "digit"),
  erase,
  undo: (state) => state.say(state.phrase(perform(state, "undo") ? "undone" : "nothing")),
  redo: (state) => state.say(state.phrase(perform(state, "redo") ? "redone" : "nothing")),
  fill(state) {
    const { link, locked, phrase, say } = state;
    if (!sure(state, "fill") || !perform(state, "fill", [], locked.digit || "")) return;
    say(phrase(link.game.board.fill ? "filled" : "unfilled"));
  },
  pause(state) {
    const { link, phrase, root, say } = state;
    if (link.game.paused) return COMMANDS.resume(state);
    if (!("pausable" in root.dataset)) return say(phrase("unpausable"));
    if (!perform(state, "pause")) return;
    say(phrase("paused"));
    root.querySelector("#resume").focus();
  },
  resume(state) {
    if (!perform(state, "resume")) return;
    state.link.outbox.flush();
    extend(state, [], state.cursor);
    state.say(state.phrase("resumed"));
  },
  restart: ({ root }) => root.querySelector("#anew").showModal(),
  anew(state) {
    state.root.querySelector("#anew").close();
    if (restart(state)) state.say(state.phrase("restarted"));
  },
  "clear-marks": (state) => clearMarks(state) && state.say(state.phrase("unmarked")),
  share,
  async elsewhere({ link: { outbox } }, to) {
    await outbox.hold(); // the page there shows the server's state
    outbox.resume();
    location.assign(to);
  },
  help: () => document.getElementById("help").showModal(),
  hint: (state) => ask(state, "hint"),
  check: (state) => ask(state, "check"),
  say: (state, what) => state.say(answer(state, what)),
  where: (state, digit) => state.say(places(state, digit)),
};
