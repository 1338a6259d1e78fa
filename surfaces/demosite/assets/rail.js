"use strict";

// Station boxes: rows come from the server while somebody types.
for (const box of document.querySelectorAll("[role=combobox]")) {
  const list = document.getElementById(box.getAttribute("aria-controls"));
  let asked = 0;
  const close = () => { list.hidden = true; list.replaceChildren(); box.setAttribute("aria-expanded", "false"); };
  const take = (name) => { asked++; box.value = name; close(); };
  box.addEventListener("input", async () => {
    const mine = ++asked;
    const reply = await fetch("/stations?q=" + encodeURIComponent(box.value));
    const names = await reply.json();
    if (mine !== asked) return;
    list.replaceChildren(...names.map((name) => {
      const row = document.createElement("li");
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", "false");
      row.textContent = name;
      row.addEventListener("mousedown", (e) => e.preventDefault()); // keep the box focused until the click
      row.addEventListener("click", () => take(name));
      return row;
    }));
    list.hidden = names.length === 0;
    box.setAttribute("aria-expanded", String(names.length > 0));
  });
  box.addEventListener("keydown", (e) => {
    const rows = [...list.children];
    const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
    if (e.key === "Escape") close();
    if (e.key === "Enter" && at >= 0) { e.preventDefault(); take(rows[at].textContent); }
    if ((e.key === "ArrowDown" || e.key === "ArrowUp") && rows.length > 0) {
      e.preventDefault();
      const next = (at + (e.key === "ArrowDown" ? 1 : rows.length - Math.min(at, 0) - 1)) % rows.length;
      rows.forEach((row, i) => row.setAttribute("aria-selected", String(i === next)));
    }
  });
  box.addEventListener("blur", close);
}

// The travel date: a month at a time, in a table.
const calendar = document.getElementById("calendar");
if (calendar) {
  const button = document.getElementById("date-button");
  const field = document.getElementById("date");
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  let month = new Date(today.getFullYear(), today.getMonth(), 1);
  const words = (day) => day.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const iso = (day) => `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
  const open = (yes) => { calendar.hidden = !yes; button.setAttribute("aria-expanded", String(yes)); if (yes) draw(); };

  const pager = (label, sign, step) => {
    const b = document.createElement("button");
    b.type = "button";
    b.className = "plain";
    b.setAttribute("aria-label", label);
    b.textContent = sign;
    b.disabled = step < 0 && month <= today;
    b.addEventListener("click", () => { month = new Date(month.getFullYear(), month.getMonth() + step, 1); draw(); });
    return b;
  };

  function draw() {
    const head = document.createElement("header");
    const title = document.createElement("h2");
    title.textContent = month.toLocaleDateString("en-GB", { month: "long", year: "numeric" });
    title.setAttribute("aria-live", "polite");
    head.append(pager("Previous month", "‹", -1), title, pager("Next month", "›", 1));

    const table = document.createElement("table");
    const names = table.createTHead().insertRow();
    for (const name of ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]) {
      const th = document.createElement("th");
      th.scope = "col";
      th.textContent = name;
      names.append(th);
    }
    const body = table.createTBody();
    const days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
    const lead = (month.getDay() + 6) % 7;
    let row = body.insertRow();
    for (let i = 0; i < lead; i++) row.insertCell();
    for (let n = 1; n <= days; n++) {
      if (row.cells.length === 7) row = body.insertRow();
      const day = new Date(month.getFullYear(), month.getMonth(), n);
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = String(n);
      b.setAttribute("aria-label", words(day));
      b.setAttribute("aria-pressed", String(field.value === iso(day)));
      b.disabled = day < today;
      b.addEventListener("click", () => { field.value = iso(day); button.textContent = words(day); button.setAttribute("aria-label", "Travel date: " + words(day)); open(false); });
      row.insertCell().append(b);
    }
    while (row.cells.length < 7) row.insertCell();
    calendar.replaceChildren(head, table);
  }

  if (field.value) {
    const chosen = new Date(field.value + "T00:00");
    button.textContent = words(chosen);
    button.setAttribute("aria-label", "Travel date: " + words(chosen));
    month = new Date(chosen.getFullYear(), chosen.getMonth(), 1);
  }
  button.addEventListener("click", () => open(calendar.hidden));
  document.addEventListener("keydown", (e) => { if (e.key === "Escape") open(false); });
  document.addEventListener("click", (e) => {
    if (!e.composedPath().includes(calendar) && !e.composedPath().includes(button)) open(false);
  });
}

// The results come after the page.
for (const place of document.querySelectorAll("[data-load]")) {
  fetch(place.dataset.load).then((reply) => reply.text()).then((html) => { place.innerHTML = html; });
}
