(() => {
  const form = document.querySelector("[role=search]"), found = document.getElementById("found");
  const root = document.querySelector("script[data-root]").dataset.root;
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (window.searchIndex) return show(target.value);
    const script = document.createElement("script");
    script.src = `${root}search.js`;
    script.onload = () => show(target.value);
    document.head.append(script);
  });
  function show(term) {
    const pages = window.searchIndex.filter(({ text }) => term && text.includes(term));
    found.innerHTML = pages.map(({ page, title }) => `<p><a href="${root}${page}">${title}</a></p>`).join("") || "<p>Nothing found.</p>";
  }
  for (const pre of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.onclick = () => {
      const area = document.createElement("textarea");
      area.value = pre.textContent;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    };
    pre.before(button);
  }
  for (const dial of document.querySelectorAll("[data-play]")) {
    const input = dial.querySelector("input");
    if (!input) continue;
    dial.querySelector("form").hidden = false;
    input.oninput = () => { dial.querySelector("[aria-live]").textContent = `${input.value} threads`; };
  }
})();
