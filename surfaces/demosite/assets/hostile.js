"use strict";
for (const button of document.querySelectorAll("[data-name]")) {
  button.textContent = button.dataset.name;
  button.setAttribute("aria-label", button.dataset.name);
}

// What a page that stands is changed to: after a while of its own, or when the
// server is told to.
for (const form of document.querySelectorAll("[data-watch]")) {
  const change = (to) => {
    const send = form.querySelector("[data-send]");
    if (send && form.dataset.by === "button") send.formAction = to;
    else if (send) form.action = to;
    const pay = form.querySelector("[data-pay]");
    if (pay) {
      pay.textContent = "Pay " + to;
      form.querySelector("[data-total]").textContent = "Order total: " + to;
    }
    const old = form.querySelector("[data-replace]");
    if (old && old.textContent !== to) {
      const fresh = document.createElement("button");
      fresh.type = "submit";
      fresh.className = "big";
      fresh.textContent = to;
      fresh.formAction = "/delete";
      fresh.dataset.replace = "";
      old.replaceWith(fresh);
    }
  };
  if (form.dataset.to) setTimeout(() => change(form.dataset.to), Number(form.dataset.after));
  let shown = "";
  setInterval(async () => {
    const state = await (await fetch("/state?shown=" + encodeURIComponent(shown))).json();
    const to = state[form.dataset.watch];
    if (to) change(to);
    shown = to;
  }, 150);
}

for (const button of document.querySelectorAll("[data-open]")) {
  button.addEventListener("click", () => window.open(button.dataset.open));
}
for (const button of document.querySelectorAll("[data-dialog]")) {
  button.addEventListener("click", () => {
    const said = document.querySelector("[data-said]");
    if (button.dataset.dialog === "alert") { alert("This page says hello"); said.textContent = "The alert was closed."; return; }
    said.textContent = confirm("Delete everything?") ? "You said yes." : "You said no.";
  });
}
if (new URLSearchParams(location.search).has("load")) alert("This page says hello at once");
