// Runs the interactive figures in a page. Each model announces itself with an event whose detail is:
//   name                         the figures that it runs: data-play in the page
//   draw(values, state)          {svg, out, say}: picture, table, one sentence; also {limits: {field: most}}. Throws an
//                                Error whose message says what is wrong with the values
//   press(button, values, state) optional: the effect of a button on the state
//   point(values, x, y)          optional: the values to change when (x, y) of the picture is clicked
//   keys(values, key)            optional: the same for an arrow key on the picture
// Each copy on a page has its own object `state`. At the start it holds only `still`: the reader asked for no motion. While
// state.running is true, "tick" is pressed again and again.
"use strict";

function start(root, { draw, press, point, keys }) {
  if (root.dataset.started) return;
  root.dataset.started = "yes";
  const [form, view, out, say] = ["form", ".play-picture", ".play-out", ".play-say"].map((s) => root.querySelector(s));
  const state = { still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  let speaking, ticking;

  // The form's values. Throws an Error for a text that is no number, and for a number that is too small or too large.
  function values() {
    const read = {};
    let wrong;
    for (const field of form.querySelectorAll("[name]")) {
      const number = field.type === "number" || field.type === "range";
      const bad = number && !field.closest("label").hidden && (field.value === "" || !field.checkValidity());
      field.setAttribute("aria-invalid", bad);
      if (bad) wrong ||= `${field.dataset.label}: a ${field.step === "any" ? "" : "whole "}number from ${field.min} to ${field.max}.`;
      read[field.name] = number ? Number(field.value) : field.value;
    }
    if (wrong) throw new Error(wrong);
    return read;
  }

  // Draws the form's values, and announces them after wait ms (null: never), so that a screen reader does not read every digit.
  // settled: the reader is not typing, so values beyond the limits that follow from other values may be changed to these limits.
  function show(wait, settled) {
    let sentence;
    for (const part of form.querySelectorAll("[data-only]")) {
      const [field, value] = part.dataset.only.split("=");
      part.hidden = form.elements[field].value !== value;
    }
    try {
      const drawn = draw(values(), state);
      view.innerHTML = drawn.svg;
      out.innerHTML = drawn.out;
      sentence = drawn.say;
      for (const [field, most] of Object.entries(drawn.limits || {})) {
        const input = form.elements[field];
        if (input.type === "range") input.max = most;
        if (settled && input.value > most) input.value = most;
      }
      root.classList.remove("play-wrong");
    } catch (error) {
      sentence = `${error.message} The picture still shows the previous values.`;
      root.classList.add("play-wrong");
    }
    clearTimeout(speaking);
    if (wait !== null) speaking = setTimeout(() => { say.textContent = sentence; }, wait);
  }

  // {field: value} sets a field of the form; {field: {add: 1}} adds to its value, within the field's limits.
  function change(fields) {
    for (const [field, value] of Object.entries(fields)) {
      const input = form.elements[field];
      input.value = value.add ? Math.min(input.max, Math.max(input.min, Number(input.value) + value.add)) : value;
    }
    show(0, true);
  }

  // With wrong values it does nothing, and show says what is wrong.
  function act(button) {
    try { press(button, values(), state); } catch { state.running = false; }
    if (!state.running) ticking = clearInterval(ticking);
    else ticking ||= setInterval(() => act("tick"), 50);
    show(state.running && button === "tick" ? null : 0, true);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => show(500));
  form.addEventListener("change", () => show(500, true));
  form.addEventListener("click", ({ target }) => {
    if (target.dataset.press) act(target.dataset.press);
    if (target.dataset.set) change(JSON.parse(target.dataset.set));
  });
  view.addEventListener("click", (event) => {
    const svg = view.querySelector("svg"), box = svg.getBoundingClientRect(), unit = svg.viewBox.baseVal.width / box.width;
    if (point && !root.classList.contains("play-wrong")) change(point(values(), (event.clientX - box.left) * unit, (event.clientY - box.top) * unit));
  });
  view.addEventListener("keydown", (event) => {
    if (!keys || root.classList.contains("play-wrong") || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    change(keys(values(), event.key));
  });
  form.hidden = false;
  root.querySelector(".play-off").hidden = true;
  show(null);
}

// Starts only after the page has been painted: the first pictures are in the page already.
addEventListener("play", ({ detail }) => requestAnimationFrame(() => setTimeout(() =>
  document.querySelectorAll(`[data-play="${detail.name}"]`).forEach((root) => start(root, detail)))));
