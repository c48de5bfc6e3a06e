// The functions of a page that need scripts: search, buttons that copy code, a focus that stays visible. Everything else works without scripts.
(function () {
  'use strict';

  // ---- Copy buttons ----
  document.querySelectorAll('div.code').forEach(function (block) {
    var button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy this code');
    button.addEventListener('click', function () {
      copy(block.querySelector('code').textContent.replace(/\n$/, ''), function (done) {
        button.textContent = done ? 'Copied' : 'Press Ctrl+C';
        setTimeout(function () { button.textContent = 'Copy'; }, 2000);
      });
    });
    block.appendChild(button);
  });

  // With file:// and plain http the clipboard's own interface may be missing. Then copy a selection.
  function copy(text, then) {
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(text).then(function () { then(true); }, function () { then(bySelection(text)); });
    } else then(bySelection(text));
  }

  function bySelection(text) {
    var area = document.createElement('textarea'), back = document.activeElement;
    area.value = text;
    area.style.position = 'fixed';
    document.body.appendChild(area);
    area.select();
    var done = false;
    // If that fails, the reader must select the text.
    try { done = document.execCommand('copy'); } catch (error) {}
    area.remove();
    if (back) back.focus();
    return done;
  }

  // ---- Focus ----
  // An element that gets the focus by keyboard is scrolled into view. The browser lays out its neighbours only then, which may push it out of
  // the window, so it is scrolled back during the next frames.
  document.addEventListener('focusin', function (event) {
    var link = event.target, frames = 6;
    function look() {
      var box = link.getBoundingClientRect();
      if (link !== document.activeElement) return;
      if (box.bottom < 80 || box.top > innerHeight - 20) link.scrollIntoView({ block: 'center' });
      if (--frames) requestAnimationFrame(look);
    }
    if (link.matches('main :focus-visible')) requestAnimationFrame(look);
  });

  // ---- Search ----
  var form = document.querySelector('.search'), input = document.getElementById('search'), found = document.getElementById('found');
  if (!form) return;
  var engine = null, loading = false;

  // The texts and the engine come as scripts when search is first used; fetch does not work from file://.
  function load() {
    if (loading) return;
    loading = true;
    script(form.dataset.engine, function () {
      script(form.dataset.index, function () {
        engine = new window.MiniSearch({
          fields: ['title', 'heading', 'text'],
          tokenize: function (text) { return text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean); },
          searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: function (term) { return term.length > 4 ? 0.2 : false; }, combineWith: 'AND' },
        });
        engine.addAll(window.siteParts.map(function (part, i) { return { id: i, title: part[1], heading: part[2], text: part[3] }; }));
        show();
      });
    });
  }

  function script(address, then) {
    var element = document.createElement('script');
    element.src = address;
    element.onload = then;
    element.onerror = function () { say('Search could not be loaded.'); };
    document.head.appendChild(element);
  }

  function say(text) {
    found.innerHTML = '<p role="status"></p>';
    found.firstChild.textContent = text;
    found.hidden = false;
  }

  function show() {
    var words = input.value.trim();
    if (!words) { found.hidden = true; return; }
    if (!engine) return say('Loading …');
    var hits = engine.search(words).slice(0, 12);
    if (!hits.length) hits = engine.search(words, { combineWith: 'OR' }).slice(0, 12);
    if (!hits.length) return say('Nothing found for “' + words + '”.');
    var list = document.createElement('ol');
    hits.forEach(function (hit) { list.appendChild(entry(window.siteParts[hit.id], hit.terms)); });
    found.replaceChildren(list);
    found.hidden = false;
  }

  function entry(part, terms) {
    var item = document.createElement('li'), link = document.createElement('a'), name = document.createElement('b'), text = document.createElement('span');
    link.href = form.dataset.root + part[0];
    name.textContent = part[2] ? part[1] + ': ' + part[2] : part[1];
    excerpt(text, part[3], terms);
    link.append(name, text);
    item.appendChild(link);
    return item;
  }

  // A few words around the first match, with the match marked.
  function excerpt(into, text, terms) {
    var lower = text.toLowerCase(), at = terms.map(function (t) { return lower.indexOf(t); }).filter(function (i) { return i >= 0; });
    var from = Math.max(0, (at.length ? Math.min.apply(null, at) : 0) - 50);
    var part = (from ? '… ' : '') + text.slice(from, from + 170) + (from + 170 < text.length ? ' …' : '');
    var pattern = new RegExp('(' + terms.map(function (t) { return t.replace(/[^\p{L}\p{N}_]/gu, '\\$&'); }).join('|') + ')', 'giu');
    part.split(pattern).forEach(function (piece, i) {
      if (i % 2) into.appendChild(document.createElement('mark')).textContent = piece;
      else into.append(piece);
    });
  }

  input.addEventListener('focus', function () {
    load();
    if (found.firstChild && input.value.trim()) found.hidden = false;
  });
  input.addEventListener('input', show);
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    var first = found.querySelector('a');
    if (first && !found.hidden) first.click();
  });
  form.addEventListener('focusout', function (event) { if (!form.contains(event.relatedTarget)) found.hidden = true; });

  // The arrow keys move through the results, Escape closes them, and / opens search.
  form.addEventListener('keydown', function (event) {
    var links = Array.from(found.querySelectorAll('a')), i = links.indexOf(document.activeElement);
    if (event.key === 'Escape') { found.hidden = true; input.focus(); }
    if (found.hidden || !links.length || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    var next = i + (event.key === 'ArrowDown' ? 1 : -1);
    if (next < 0) input.focus(); else links[Math.min(next, links.length - 1)].focus();
  });
  document.addEventListener('keydown', function (event) {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    input.focus();
  });
})();
