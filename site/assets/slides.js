// Slides by keyboard: arrows, space, page keys, Home and End; n shows the notes. Without scripts the reader scrolls.
(function () {
  'use strict';
  var slides = Array.prototype.slice.call(document.querySelectorAll('.slide'));

  function current() {
    var middle = window.innerHeight / 2, i = slides.findIndex(function (s) { return s.getBoundingClientRect().bottom > middle; });
    return i < 0 ? slides.length - 1 : i;
  }

  function go(i) {
    var slide = slides[Math.max(0, Math.min(i, slides.length - 1))];
    slide.scrollIntoView({ behavior: 'instant' });
    slide.focus({ preventScroll: true });
    try { history.replaceState(null, '', '#' + slide.id); } catch (error) { /* not from file:// in some browsers */ }
  }

  var keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY|A)$/.test(event.target.tagName)) return;
    if (event.key === 'n') document.body.classList.toggle('with-notes');
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(slides.length - 1);
    else if (keys[event.key]) go(current() + (event.key === ' ' && event.shiftKey ? -1 : keys[event.key]));
    else return;
    event.preventDefault();
  });
})();
