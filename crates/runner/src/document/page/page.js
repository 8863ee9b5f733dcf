// The page is complete without this: it sorts, filters and opens the rounds in place. What is shown
// stands in the address, so that a link shows it to others: #q=B2&verdict=faster&sort=-ratio
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const table = by("results");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const form = by("controls");
  const collator = new Intl.Collator("en", { numeric: true });
  const data = JSON.parse(by("rounds-data").textContent);
  const rows = [...body.rows].map((tr, place) => ({
    tr,
    place,
    link: tr.cells[0].querySelector("a"),
    id: tr.cells[0].querySelector("a").textContent,
    group: tr.dataset.group,
    pair: tr.cells[1].textContent,
    verdict: tr.cells[2].textContent,
    main: "main" in tr.dataset,
    detail: null,
  }));
  const fields = ["q", "group", "pair", "verdict", "sort"];
  const all = by("all");

  // Sorting.

  const columns = new Map(heads.flatMap((th, i) => (th.dataset.key ? [[th.dataset.key, i]] : [])));

  const value = (row, column) => {
    const cell = row.tr.cells[column];
    if ("v" in cell.dataset) return Number(cell.dataset.v);
    return column === 0 ? row.id : cell.textContent;
  };

  const compare = (a, b) =>
    typeof a === "number" ? (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b) : collator.compare(a, b);

  const sort = (order) => {
    const key = order.replace(/^-/, "");
    const column = columns.get(key);
    const sign = order.startsWith("-") ? -1 : 1;
    const sorted = [...rows];
    if (column !== undefined) {
      // Equals stay in the order of the catalogue either way.
      sorted.sort((a, b) => sign * compare(value(a, column), value(b, column)) || a.place - b.place);
    }
    body.append(...sorted.flatMap((row) => (row.detail ? [row.tr, row.detail] : [row.tr])));
    for (const th of heads) {
      if (th.dataset.key && th.dataset.key === key) {
        th.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
      } else {
        th.removeAttribute("aria-sort");
      }
    }
  };

  // Filtering.

  const filter = () => {
    const q = by("q").value.trim().toLowerCase();
    const [group, pair, verdict] = ["group", "pair", "verdict"].map((id) => by(id).value);
    let count = 0;
    for (const row of rows) {
      // Who picks a pair means it, whatever kind it is.
      const kind = row.main || pair !== "" || !all || all.checked;
      const shown =
        kind &&
        row.id.toLowerCase().includes(q) &&
        (group === "" || row.group === group) &&
        (pair === "" || row.pair === pair) &&
        (verdict === "" || row.verdict === verdict);
      row.tr.hidden = !shown;
      if (row.detail) row.detail.hidden = !shown;
      if (shown) count += 1;
    }
    by("count").textContent = `${count} of ${rows.length} comparisons`;
  };

  // State in the address.

  const write = () => {
    const state = new URLSearchParams();
    for (const id of fields) {
      if (by(id).value !== "") state.set(id, by(id).value);
    }
    if (all && all.checked) state.set("all", "1");
    const hash = state.toString();
    // Not a step in the history for each letter typed.
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  };

  const read = () => {
    const hash = location.hash.slice(1);
    // A link of the page without the script: to the rounds of one benchmark.
    const linked = rows.find((row) => row.link.hash === location.hash);
    const state = new URLSearchParams(linked ? { q: linked.id } : hash);
    for (const id of fields) {
      const field = by(id);
      field.value = state.get(id) ?? "";
      // A select that has no such option shows nothing at all.
      if (field.selectedIndex === -1) field.value = "";
    }
    if (all) all.checked = state.get("all") === "1";
    sort(by("sort").value);
    filter();
    if (linked && !linked.detail) toggle(linked);
  };

  const change = () => {
    sort(by("sort").value);
    filter();
    write();
  };

  // Rounds.

  const time = (ns) => {
    const [size, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]].find(([s]) => ns >= s) ?? [1, "ns"];
    return `${Number((ns / size).toPrecision(7))} ${unit}`;
  };

  // Shows the value of a round under the pointer, at a tap, or with the arrow keys.
  const probe = (figure) => {
    const plot = figure.querySelector(".plot");
    const arms = Object.entries(data[figure.dataset.id]);
    // As the raw files are named, where the run says which round was which.
    const names = figure.dataset.rounds ? figure.dataset.rounds.split("|") : [];
    const [left, right, top, bottom] = plot.dataset.area.split(" ").map(Number);
    const [low, high] = [plot.dataset.low, plot.dataset.high].map(Number);
    const count = Math.max(...arms.map(([, ns]) => ns.length));
    const x = (round) => (count === 1 ? left : left + (round / (count - 1)) * (right - left));
    const y = (ns) => bottom - Math.min(1, Math.log(Math.max(ns, low) / low) / Math.log(high / low)) * (bottom - top);

    const output = document.createElement("output");
    output.className = "value hint";
    output.textContent = "Point at a round, tap it, or use the arrow keys.";
    plot.after(output);
    const svg = (name, attributes) => {
      const element = document.createElementNS(plot.namespaceURI, name);
      for (const [key, text] of Object.entries(attributes)) element.setAttribute(key, text);
      plot.append(element);
      return element;
    };
    const line = svg("path", { class: "at" });
    const ring = svg("circle", { class: "hit", r: 6, visibility: "hidden" });
    plot.setAttribute("tabindex", "0");
    plot.setAttribute("role", "slider");
    plot.setAttribute("aria-valuemin", "1");
    plot.setAttribute("aria-valuemax", String(count));
    plot.setAttribute("aria-valuenow", "1");

    let at = null;
    const show = (round, arm) => {
      at = { round, arm };
      const [name, ns] = arms[arm];
      const text = `${names[round] ?? `round ${round + 1}`}, ${name}: ${time(ns[round])}`;
      output.className = "value";
      output.textContent = text;
      plot.setAttribute("aria-valuenow", String(round + 1));
      plot.setAttribute("aria-valuetext", text);
      line.setAttribute("d", `M${x(round)} ${top}V${bottom}`);
      ring.setAttribute("cx", x(round));
      ring.setAttribute("cy", y(ns[round]));
      ring.setAttribute("visibility", "visible");
    };

    const point = (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
      const nearest = count === 1 ? 0 : Math.round(((place.x - left) / (right - left)) * (count - 1));
      const round = Math.min(count - 1, Math.max(0, nearest));
      let best = -1;
      let least = Infinity;
      arms.forEach(([, ns], arm) => {
        const distance = round < ns.length ? Math.abs(y(ns[round]) - place.y) : Infinity;
        if (distance < least) [best, least] = [arm, distance];
      });
      if (best >= 0) show(round, best);
    };

    plot.addEventListener("pointermove", point);
    plot.addEventListener("pointerdown", point);
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      if (!at) return show(0, 0);
      const arm = (at.arm + step[1] + arms.length) % arms.length;
      const last = arms[arm][1].length - 1;
      show(Math.min(last, Math.max(0, at.round + step[0])), arm);
    });
  };

  const toggle = (row) => {
    if (row.detail) {
      row.detail.remove();
      row.detail = null;
    } else {
      const figure = by(row.link.getAttribute("href").slice(1)).cloneNode(true);
      figure.removeAttribute("id");
      // The arms of the row before the others.
      const compared = [...row.tr.cells[1].querySelectorAll("b")].map((arm) => arm.textContent);
      for (const arm of figure.querySelectorAll("[data-arm]")) {
        arm.classList.toggle("aside", !compared.includes(arm.dataset.arm));
      }
      row.detail = document.createElement("tr");
      row.detail.className = "detail";
      const cell = row.detail.insertCell();
      cell.colSpan = heads.length;
      cell.append(figure);
      row.tr.after(row.detail);
      probe(figure);
    }
    row.tr.classList.toggle("open", row.detail !== null);
    row.link.setAttribute("aria-expanded", String(row.detail !== null));
  };

  // Setting up.

  const order = by("sort");
  order.append(new Option("catalogue", ""));
  for (const [key, column] of columns) {
    const th = heads[column];
    const name = th.textContent;
    order.append(new Option(`${name} ↑`, key), new Option(`${name} ↓`, `-${key}`));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => {
      const next = { [key]: `-${key}`, [`-${key}`]: "" };
      order.value = next[order.value] ?? key;
      change();
    });
    th.replaceChildren(button);
  }
  for (const row of rows) {
    row.link.setAttribute("role", "button");
    row.link.setAttribute("aria-expanded", "false");
    row.tr.addEventListener("click", (event) => {
      // Selecting text in a row is no click on it.
      if (!row.link.contains(event.target) && !getSelection().isCollapsed) return;
      event.preventDefault();
      toggle(row);
    });
    row.link.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      toggle(row);
    });
  }
  form.addEventListener("input", change);
  form.addEventListener("submit", (event) => event.preventDefault());
  // The fields are reset only after the event.
  form.addEventListener("reset", () => setTimeout(change));
  addEventListener("hashchange", read);

  document.documentElement.classList.add("js");
  form.hidden = false;
  by("rounds").hidden = true;
  read();
})();
