// The command line.

import { Stop } from "./stop.js";

// options(usage, words, known): {folder, rest, help, NAME: value...}. known: "--name" to what follows it: "" nothing, "number",
// "text", or "page..." pages, which may be given again and are then asked for by named(site).
export function options(usage, words, known) {
  const given = { rest: [], only: [] };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === "--help" || word === "-h") { console.log(usage); return { help: true }; }
    if (!word.startsWith("-")) { given.rest.push(word); continue; }
    if (!(word in known)) throw new Stop(`unknown option ${word}; there are ${Object.keys(known).join(", ")} and --help`);
    const name = word.slice(2), kind = known[word];
    if (kind === "") { given[name] = true; continue; }
    const value = words[++i];
    if (value === undefined) throw new Stop(`${word} wants a ${kind.replace("...", "")}`);
    if (kind === "number" && !/^[1-9]\d?$/.test(value)) throw new Stop(`${word} wants a number from 1 to 99, not ${value}`);
    if (kind === "page...") given[name].push(value);
    else given[name] = kind === "number" ? Number(value) : value;
  }
  if (given.rest.length === 0) throw new Stop(`name the folder of a built site; --help tells more`);
  given.folder = given.rest.shift();
  given.named = (site) => given.only.map((page) => pageOf(site, page));
  return given;
}

// pageOf(site, word): the page that a word names: its path, or its folder.
export function pageOf(site, word) {
  const plain = word.replace(/\/$/, "");
  const page = [plain, `${plain}/index.html`].find((path) => site.pages.includes(path));
  if (page) return page;
  const like = site.pages.filter((path) => path.includes(plain)).slice(0, 5);
  throw new Stop(`there is no page ${word}${like.length ? `; there are ${like.join(", ")}` : `; there are ${site.pages.slice(0, 5).join(", ")} …`}`);
}
