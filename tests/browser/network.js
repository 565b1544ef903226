// A network that fails on command, installed before fetch in every page of a device. The page's own modules are unaware
// of it; requests that pass reach the real server.
(() => {
  const send = globalThis.fetch.bind(globalThis);
  const late = []; // batches whose requests timed out and that are still on their way
  const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? "[]");
  const network = (globalThis.network = { plan: [], under: 0 });

  /** Record, across reloads, which moves the server has acknowledged to this device. */
  function acknowledge(url, body) {
    const [seqs, kinds, cells, digits] = ["seq", "kind", "cell", "digit"].map((name) => body.getAll(name));
    const moves = seqs.map((seq, index) => [Number(seq), kinds[index], cells[index], digits[index]]);
    sessionStorage.setItem(`acknowledged:${url}`, JSON.stringify([...kept(`acknowledged:${url}`), ...moves]));
  }

  async function under(way) {
    network.under++;
    try {
      return await way();
    } finally {
      network.under--;
    }
  }

  globalThis.fetch = (url, options) => under(async () => {
    if (sessionStorage.getItem("offline")) throw new TypeError("offline");
    if (!String(url).endsWith("/moves")) return send(url, options);
    const fate = network.plan.shift() ?? "taken";
    if (fate === "lost") throw new TypeError("lost on the way there");
    if (fate === "late") {
      late.push(() => send(url, { ...options, keepalive: false }));
      throw new TypeError("given up, and still on its way");
    }
    const [answer] = await Promise.all(fate === "twice" ? [send(url, options), send(url, options)] : [send(url, options)]);
    for (const arrive of late.splice(0)) await arrive(); // behind a batch that was sent after it
    if (fate === "unanswered") throw new TypeError("lost on the way back");
    if (answer.status === 200) acknowledge(url, options.body);
    return answer;
  });
})();
