// Search by keyboard, and the buttons that copy code.

// search(page, terms, site, base, report): every term finds its page among the first five; nonsense finds nothing and says so.
// terms: {term: path of a page}. Pages that are not in this site are skipped.
export async function search(page, terms, site, base, report) {
  const field = page.locator("input[type=search]").first();
  if (!await open(page, field)) { report("search", "no field to search in", ""); return; }
  const asked = Object.entries(terms).filter(([, wanted]) => site.files.has(wanted));
  for (const [term, wanted] of asked) {
    await field.fill("");
    await field.pressSequentially(term);
    const found = await results(page, field, (links) => links.includes(base + wanted));
    const places = found.map((url) => url.split("#")[0].slice(base.length));
    if (places.length === 0) report("search", "finds nothing", term);
    else if (!places.slice(0, 5).includes(wanted)) report("search", `does not find ${wanted} among its first five`, `${term}: ${places.slice(0, 5).join(", ")}`);
  }
  await none(page, field, report);
  if (asked.length) await go(page, field, asked[0][0], report);
}

// The field may open with a button, or with "/".
async function open(page, field) {
  if (await field.count() && await field.isVisible()) return true;
  await page.keyboard.press("/");
  return await field.count() > 0 && await field.isVisible();
}

// The addresses of the results, as soon as enough() accepts them, or the results after two seconds.
async function results(page, field, enough) {
  let links = [];
  for (let turn = 0; turn < 20; turn++) {
    links = await field.evaluate((input) => {
      const place = document.getElementById(input.getAttribute("aria-controls")) ?? input.closest("search, [role=search], form, dialog");
      return [...place.querySelectorAll("a[href]")].filter((a) => a.checkVisibility()).map((a) => a.href);
    });
    if (enough(links.map((url) => url.split("#")[0]))) break;
    await page.waitForTimeout(100);
  }
  return links;
}

async function none(page, field, report) {
  await field.fill("zzxqv");
  const found = await results(page, field, (links) => links.length === 0);
  const said = await field.evaluate((input) => document.getElementById(input.getAttribute("aria-controls"))?.textContent.trim() ?? "");
  if (found.length) report("search", "finds something for nonsense", `zzxqv: ${found[0]}`);
  else if (!said) report("search", "does not say that nothing was found", "zzxqv");
}

// Goes to the first result by keyboard and opens it.
async function go(page, field, term, report) {
  await field.fill(term);
  const [first] = await results(page, field, (links) => links.length > 0);
  if (!first) return;
  const before = page.url();
  await field.press("Tab");
  const at = await page.evaluate(() => document.activeElement?.href ?? "");
  if (!at) { report("search", "Tab does not go from the field to a result", term); return; }
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => String(url) !== before, { timeout: 5000 })
    .catch(() => report("search", "Enter does not open the result", at));
}

// copy(page, report): the first buttons of a page that copy code; the clipboard must hold the text of the code.
export async function copy(page, report, most = 3) {
  const buttons = page.locator("button.copy:visible"); // not those in closed hints
  const count = Math.min(await buttons.count(), most);
  if (count === 0) report("copy", "no button to copy code with", "");
  for (let i = 0; i < count; i++) {
    const wanted = await buttons.nth(i).evaluate((button) => {
      const pre = button.closest("pre") ?? [...ancestors(button)].map((up) => up.querySelector("pre")).find(Boolean);
      return (pre.querySelector("code") ?? pre).textContent.replace(/\n$/, "");
      function* ancestors(node) { for (let up = node.parentElement; up; up = up.parentElement) yield up; }
    });
    await buttons.nth(i).focus();
    await page.keyboard.press("Enter");
    const got = await pasted(page);
    if (got !== wanted) report("copy", `copies "${got.slice(0, 40)}"`, `instead of "${wanted.slice(0, 40)}"`);
  }
}

// Reads the clipboard by pasting it, which works from file://, too. Restores the focus.
async function pasted(page) {
  await page.waitForTimeout(50);
  await page.evaluate(() => {
    const area = document.createElement("textarea");
    area.id = "pasted";
    document.body.append(area);
    area.focus();
  });
  await page.keyboard.press("Control+V");
  return page.evaluate(() => {
    const area = document.getElementById("pasted"), text = area.value;
    area.remove();
    return text.replace(/\n$/, "");
  });
}
