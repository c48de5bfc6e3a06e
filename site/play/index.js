// The interactive figures, for the build and for tests.
//   play          NAME -> {title, description, html(), scripts}; scripts: FILE -> text of each script of a page with html(), in
//                 this order; classic scripts without globals. Their style, play.css, is part of the site's
//   model(NAME)   what NAME.js exports, in node
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { forms } from "./forms.js";

const read = (file) => readFileSync(new URL(file, import.meta.url), "utf8");

export function model(name) {
  const module = { exports: {} };
  compileFunction(read("draw.js") + read(`${name}.js`), ["module"], { filename: `site/play/${name}.js` })(module);
  return module.exports;
}

// A script for pages, in its own function, without lines of comment: those are only for readers of the sources.
const script = (name, text) => `// site/play/${name}\n(() => {\n${text.replace(/^ *\/\/.*\n/gm, "").replace(/\n{2,}/g, "\n")}})();\n`;

function scripts(name) {
  const announce = 'dispatchEvent(new CustomEvent("play", { detail: module.exports }));\n';
  return {
    "play.js": script("play.js", read("play.js")),
    [`${name}.js`]: script(`${name}.js, after draw.js`, `${read("draw.js")}const module = {};\n${read(`${name}.js`)}${announce}`),
  };
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const attributes = (list) => Object.entries(list).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");

// The initial values of a form: {field: value}.
export const initial = (name) => Object.fromEntries(forms[name].fields.map((field) => [field.name, field.value]));

function input(field) {
  const { name, value, label, min, max, step = 1 } = field;
  if (field.options)
    return `<select name="${name}">${field.options.map(([key, words]) => `<option value="${key}"${key === value ? " selected" : ""}>${escaped(words)}</option>`).join("")}</select>`;
  if (field.text) return `<input${attributes({ name, value, size: field.text, maxlength: 100, type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off" })}>`;
  return `<input${attributes({ name, value, min, max, step, type: field.slider ? "range" : "number", inputmode: "decimal", "data-label": label })}>`;
}

function form({ fields, buttons }, first) {
  const labels = fields.map((field) => {
    const [other, value] = (field.only || "").split("=");
    const only = field.only ? ` data-only="${field.only}"${first[other] === value ? "" : " hidden"}` : "";
    return `<label${field.text || field.slider ? ' class="play-wide"' : field.options?.some(([, words]) => words.length > 9) ? ' class="play-two"' : ""}${only}><span>${escaped(field.label)}</span>${input(field)}</label>`;
  });
  const keys = buttons.map(({ label, press, set }) =>
    `<button type="button"${attributes(press ? { "data-press": press } : { "data-set": JSON.stringify(set) })}>${escaped(label)}</button>`);
  return `<form class="play-form" hidden>\n${labels.join("\n")}\n<div class="play-buttons">${keys.join("\n")}</div>\n</form>`;
}

// The whole figure: texts, form, and the picture of the initial values, drawn by the page's own code.
function html(name) {
  const { title, about, tries, question, answer } = forms[name], first = initial(name), drawn = model(name).draw(first, {});
  return `<div class="plaything" data-play="${name}" role="group" aria-label="Interactive figure: ${escaped(title)}">
<p class="play-title">${escaped(title)}</p>
<p>${escaped(about)}</p>
${form(forms[name], first)}
<div class="play-picture" tabindex="0" role="group" aria-label="Picture: ${escaped(title)}">${drawn.svg}</div>
<p class="play-say" role="status">${escaped(drawn.say)}</p>
<div class="play-out" tabindex="0" role="group" aria-label="Numbers: ${escaped(title)}">${drawn.out}</div>
<p class="play-off">You need scripts to change the values of this picture.</p>
<p>Try:</p>
<ul>${tries.map((words) => `<li>${escaped(words)}</li>`).join("")}</ul>
<details><summary>Predict: ${escaped(question)}</summary><p>${escaped(answer)}</p></details>
</div>`;
}

// A page, the slides and the figure's own page show the same.
const shown = new Map();
const once = (name) => shown.get(name) ?? shown.set(name, html(name)).get(name);

export const play = Object.fromEntries(Object.entries(forms).map(([name, { title, description }]) =>
  [name, { title, description, html: () => once(name), scripts: scripts(name) }]));
