// In the page: shows the messages that hold most of the words that were typed. Without scripts all are shown.
(function () {
  var box = document.querySelector('.find-error'), input = box.querySelector('input'), said = box.querySelector('[role=status]');
  var all = [].slice.call(document.querySelectorAll('.error'));
  var groups = [].slice.call(document.querySelectorAll('.errors'));
  function words(text) { return text.toLowerCase().match(/[a-z_]{2,}/g) || []; }
  var texts = all.map(function (e) { return ' ' + words(e.querySelector('dt').textContent).join(' ') + ' '; });
  var whole = all.map(function (e) { return ' ' + words(e.textContent).join(' ') + ' '; });
  var count = {};
  texts.forEach(function (t) { words(t).forEach(function (w) { count[w] = (count[w] || 0) + 1; }); });
  function find() {
    var typed = words(input.value), most = 0;
    var scores = all.map(function (e, i) {
      var sum = 0;
      typed.forEach(function (w) {
        if (texts[i].indexOf(' ' + w) >= 0) sum += 1 / (count[w] || 1);
        else if (whole[i].indexOf(' ' + w) >= 0) sum += 0.02;
      });
      most = Math.max(most, sum);
      return sum;
    });
    var shown = 0;
    all.forEach(function (e, i) {
      e.hidden = typed.length > 0 && (most === 0 || scores[i] < 0.4 * most);
      if (!e.hidden) shown++;
    });
    groups.forEach(function (g) {
      var title = g.previousElementSibling;
      g.hidden = !g.querySelector('.error:not([hidden])');
      if (title && title.tagName === 'H2') title.hidden = g.hidden;
    });
    said.textContent = shown === 0 ? 'No message holds these words.' : shown + (shown === 1 ? ' message.' : ' messages.');
  }
  input.addEventListener('input', find);
  box.hidden = false;
  if (location.hash.indexOf('#find=') === 0) { input.value = decodeURIComponent(location.hash.slice(6)); find(); }
})();
