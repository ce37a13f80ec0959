// What htmx swaps into the one dialog opens it; closing empties it. Without a script the same links open a page.
const dialog = document.querySelector("#dialog");

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== dialog || !dialog.firstElementChild) return;
  const heading = dialog.querySelector("h1[id], h2[id]");
  if (heading) dialog.setAttribute("aria-labelledby", heading.id);
  if (!dialog.open) dialog.showModal();
  // Not on the first choice, which an arrow key would then take.
  if (heading) {
    heading.tabIndex = -1;
    heading.focus();
  }
});

dialog.addEventListener("click", (event) => {
  const outside = event.target === dialog;
  if (!outside && !event.target.closest("[data-dialog-close]")) return;
  event.preventDefault();
  dialog.close();
});

dialog.addEventListener("close", () => dialog.replaceChildren());
