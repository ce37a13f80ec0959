// What htmx puts in the place of what had the focus gets it: a keyboard goes on where it was.
let lost = false;

document.addEventListener("htmx:beforeSwap", (event) => {
  const held = document.activeElement;
  lost = held !== document.body && event.detail.target.contains(held);
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!lost || document.activeElement !== document.body) return;
  lost = false;
  const place = event.detail.elt.querySelector("[autofocus]") ?? event.detail.elt;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
});
