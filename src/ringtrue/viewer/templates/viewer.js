// Keys, live runs and labels. Every page works without this; nothing here loads anything from elsewhere.
(() => {
  const root = document.documentElement;
  const by = (selector) => document.querySelector(selector);
  try {
    const kept = localStorage.getItem("ringtrue-theme");
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
    by("[data-do=theme]").addEventListener("click", () => localStorage.setItem("ringtrue-theme", root.dataset.theme));
  } catch { /* a browser that keeps nothing */ }

  const go = (selector) => { const found = by(selector); if (found) location.href = found.href; return !!found; };
  const lines = () => [...document.querySelectorAll(".rows > li > details > summary, .runs a.go, .page ul > li > a.go")];
  const step = (by_) => {
    const all = lines(), at = all.indexOf(document.activeElement);
    const next = all[Math.max(0, Math.min(all.length - 1, at < 0 ? (by_ > 0 ? 0 : all.length - 1) : at + by_))];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  };
  const chip = (status) => [...document.querySelectorAll("a.chip")].find((one) => {
    const query = new URL(one.href).searchParams;
    return status === null ? !query.get("status") : query.get("status") === status;
  });
  const bundled = (word) => [...document.querySelectorAll("a.chip")].find((one) => one.textContent.startsWith(word));
  const pick = (status, word) => { const found = location.protocol === "file:" ? bundled(word) : chip(status); if (found) location.href = found.href; };

  // Two runs are chosen by their boxes; the button compares them, the older one first.
  const boxes = () => [...document.querySelectorAll("#chosen input[type=checkbox]")];
  const compare = by("#compare");
  const count = () => { if (compare) compare.disabled = boxes().filter((one) => one.checked).length !== 2; };
  if (compare) {
    count();
    by("#chosen").addEventListener("change", count);
    by("#chosen").addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = boxes().filter((one) => one.checked).map((one) => one.value);
      if (chosen.length === 2) location.href = `/compare?${new URLSearchParams({ a: chosen[1], b: chosen[0] })}`;
    });
  }

  // A live run: figures change in place at most every five seconds, new rows wait behind a link.
  const live = by("#live");
  if (live) {
    const look = async () => {
      try {
        const found = await (await fetch(live.dataset.live, { headers: { Accept: "application/json" } })).json();
        by("#live-words").textContent = found.words;
        by("#live-said").textContent = found.words;
        const bar = by("#live-bar");
        bar.max = found.of; bar.value = found.rows;
        const more = found.rows - live.dataset.rows;
        const link = by("#live-more");
        link.hidden = more <= 0 && found.running;
        link.textContent = found.running ? `${more.toLocaleString("en")} new row${more === 1 ? "" : "s"}` : "finished: show the result";
        link.href = location.href;
        if (found.running) setTimeout(look, 5000);
      } catch { setTimeout(look, 15000); }
    };
    setTimeout(look, 5000);
  }

  if (by("[data-again]")) setTimeout(() => location.reload(), 4000);

  // Labels: the next answer is loaded while this one is read; a key saves and shows it at once. Labels are saved one
  // after another, and only the reply to the last one is shown: an older one would show an answer that has its label.
  let ready = null, prepared = "", saving = Promise.resolve(), last = 0;
  const prepare = () => {
    const form = by("#label");
    if (!form) return;
    prepared = form.elements.subject.value;
    const address = `${form.getAttribute("action")}?skip=${prepared}`;
    ready = saving.then(() => fetch(address)).then((answer) => (answer.ok ? answer.text() : null), () => null);
  };
  const show = (text) => {
    const next = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    by("main").replaceWith(next);
    bind();
  };
  const send = async (form, name, value) => {
    if (by("main[aria-busy]")) return;
    const own = ++last, body = new URLSearchParams(new FormData(form));
    if (name) body.set(name, value);
    const waiting = form.id === "label" && form.elements.subject.value === prepared ? ready : null;
    by("main").setAttribute("aria-busy", "true");
    const saved = saving.then(() => fetch(form.getAttribute("action"), { method: "POST", body })).catch(() => null);
    saving = saved;
    const early = waiting && await waiting;
    if (early) show(early);
    const answer = await saved;
    if (!answer?.ok) { location.reload(); return; }
    const text = await answer.text();
    if (own === last) show(text);
  };
  const bind = () => {
    for (const form of document.querySelectorAll("#label, #undo")) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        send(form, event.submitter?.name, event.submitter?.value);
      });
    }
    prepare();
  };
  bind();
  const verbs = { y: "right", n: "wrong", d: "unsure", s: "skipped" };
  const label = (key) => {
    const form = by("#label");
    if (key === "u" && by("#undo")) { send(by("#undo")); return true; }
    if (!form) return false;
    if (verbs[key]) { send(form, "verdict", verbs[key]); return true; }
    if (/^[1-5]$/.test(key)) { send(form, "grade", key); return true; }
    if (key === "c") { by("#more").open = true; by("#comment").focus(); return true; }
    if (key === "e" && by("#source")) { by("#source").open = !by("#source").open; return true; }
    return false;
  };

  let before = "";
  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input[type=search], textarea, select");
    if (event.key === "Escape") {
      if (by("#keys[open]")) return;
      if (field) { field.blur(); return; }
      if (!go("#up")) go("header nav a");
      return;
    }
    if (field || event.ctrlKey || event.metaKey || event.altKey || by("#keys[open]")) return;
    const key = event.key, pair = before + key;
    before = key === "g" ? "g" : "";
    const done = by(".label") ? label(key) : false;
    if (done) event.preventDefault();
    else if (pair === "gr") go("header a.mark");
    else if (key === "?") by("#keys").showModal();
    else if (key === "/" && by("input[type=search]")) { event.preventDefault(); by("input[type=search]").focus(); }
    else if (key === "j") { if (lines().length || !go("a[rel=next]")) step(1); }
    else if (key === "k") { if (lines().length || !go("a[rel=prev]")) step(-1); }
    else if (key === "f") pick("failed", "Failed");
    else if (key === "e") pick("error", "Errors");
    else if (key === "a") pick(null, "All");
    else if (key === "x") { const box = document.activeElement?.closest("tr")?.querySelector("input[type=checkbox]"); if (box) box.click(); }
    else if (key === "c" && compare && !compare.disabled) compare.click();
  });
})();
