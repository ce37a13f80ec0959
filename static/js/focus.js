// What htmx puts in the place of what had the focus gets it: a keyboard goes on where it was.
let lost = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const held = document.activeElement;
  const target = event.detail.target;
  lost = held !== document.body && target.contains(held) ? { target, parent: target.parentElement } : null;
});

document.addEventListener("htmx:afterSettle", (event) => {
  const made = event.detail.elt;
  // What is swapped out of band, like a count in the header, settles too.
  if (!lost || document.activeElement !== document.body || (made !== lost.target && made.parentElement !== lost.parent)) return;
  lost = null;
  const place = made.querySelector("[autofocus]") ?? made;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
});
