// The rows of a report: filter, search and sort; the state lies behind #, so Back undoes it.
// Rows beyond the first hundred are markup inside <noscript>: drawn by the browser where no script runs, read here as
// text and drawn when they are wanted where one does.
(() => {
  const list = document.querySelector("#rows");
  if (!list) return;
  const AT_ONCE = 100;
  const by = (id) => document.getElementById(id);
  const search = by("q"), more = by("more"), none = by("none"), shown = by("shown");
  const chips = [...document.querySelectorAll(".chip")], choices = [...document.querySelectorAll("select[data-k]")];
  const drawn = document.createElement("template");
  const plain = document.createElement("textarea");

  const OPENING = / data-s="([^"]*)" data-d="([^"]*)" data-p="([^"]*)" data-t="([^"]*)" data-c="([^"]*)"/;
  const decode = (markup) => {
    if (!markup.includes("&")) return markup;
    plain.innerHTML = markup;
    return plain.value;
  };
  const entry = (markup, element) => {
    const [, statuses, dataset, asked, slow, dear] = OPENING.exec(markup);
    return { markup, element, text: null, statuses: statuses.split(" "), dataset: decode(dataset), asked: +asked, slow: -slow, dear: -dear };
  };
  const element = (one) => {
    if (!one.element) {
      drawn.innerHTML = one.markup;
      one.element = drawn.content.firstElementChild;
      one.markup = "";
    }
    return one.element;
  };
  const words = (one) => {
    if (one.text === null) {
      one.text = (one.element ? one.element.textContent : decode(one.markup.replace(/<[^>]*>/g, " "))).toLowerCase();
    }
    return one.text;
  };

  const rows = [...list.children].map((item) => entry(item.cloneNode(false).outerHTML, item));
  document.querySelectorAll("noscript.part").forEach((part) => {
    part.textContent.split("<li id=").slice(1).forEach((item) => {
      rows.push(entry(`<li id=${item}`, null));
    });
    part.remove();
  });

  let state = {}, matches = [], place = 0;
  const read = () => Object.fromEntries([...new URLSearchParams(location.hash.slice(1))].filter(([, value]) => value));
  const write = (change, replace) => {
    const next = Object.entries({ ...read(), ...change }).filter(([, value]) => value);
    const hash = `#${new URLSearchParams(next)}`;
    if (replace) history.replaceState(null, "", hash);
    else if (hash !== location.hash) history.pushState(null, "", hash);
    apply();
  };
  const wanted = (one) => {
    const { status, dataset, system, q } = state;
    if (dataset && one.dataset !== dataset) return false;
    if (status === "disputed" ? !one.statuses.includes("disputed")
      : (status || system) && !one.statuses.some((found) => {
        const [series, ended] = found.split(":");
        return (!system || series === system) && (!status || ended === status);
      })) return false;
    return !q || words(one).includes(q.toLowerCase());
  };
  const draw = (amount) => {
    const next = matches.slice(place, place + amount).map(element);
    place += next.length;
    list.append(...next);
    more.hidden = place >= matches.length;
    more.firstElementChild.textContent =
      `${Math.min(AT_ONCE, matches.length - place).toLocaleString("en")} more of ${(matches.length - place).toLocaleString("en")}`;
  };
  const apply = () => {
    state = read();
    matches = rows.filter(wanted);
    if (["asked", "slow", "dear"].includes(state.sort)) matches.sort((a, b) => a[state.sort] - b[state.sort]);
    list.replaceChildren();
    place = 0;
    draw(AT_ONCE);
    const filtered = matches.length < rows.length;
    shown.textContent = filtered ? `${matches.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} cases. ` : "";
    none.hidden = matches.length > 0;
    by("asked").textContent = Object.values({ ...state, system: "" }).filter(Boolean).map((word) => `“${word}”`).join(", ");
    chips.forEach((chip) => chip.setAttribute("aria-pressed", (state[chip.dataset.k] || "") === chip.dataset.v));
    choices.forEach((choice) => { choice.value = state[choice.dataset.k] || ""; });
    if (document.activeElement !== search) search.value = state.q || "";
  };

  chips.forEach((chip) => { chip.onclick = () => write({ [chip.dataset.k]: chip.dataset.v }); });
  choices.forEach((choice) => { choice.onchange = () => write({ [choice.dataset.k]: choice.value }); });
  let waiting = 0;
  search.oninput = () => { clearTimeout(waiting); waiting = setTimeout(() => write({ q: search.value }, true), 120); };
  more.firstElementChild.onclick = () => draw(AT_ONCE);
  addEventListener("hashchange", () => { apply(); if (state.status) by("rows-head").scrollIntoView(); });
  addEventListener("popstate", apply);
  addEventListener("beforeprint", () => draw(matches.length));
  addEventListener("keydown", (event) => {
    if (event.target === search) { if (event.key === "Escape") search.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const heads = [...list.querySelectorAll(":scope > li > details > summary")];
    const at = heads.indexOf(document.activeElement);
    const pick = {
      f: { status: "failed" }, e: { status: "error" }, a: { status: "", dataset: "", system: "", q: "" },
    }[event.key];
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    else if (event.key === "j") { if (at === heads.length - 1) draw(AT_ONCE); (list.querySelectorAll(":scope > li > details > summary")[at + 1] || heads[0])?.focus(); }
    else if (event.key === "k") (heads[at - 1] || heads[0])?.focus();
    else if (pick) write(pick);
  });
  document.querySelector(".tools").hidden = false;
  apply();
})();
