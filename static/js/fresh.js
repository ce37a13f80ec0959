// Back must not show what has been deleted since: a page taken from the browser's memory is hidden and fetched again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  document.documentElement.hidden = true;
  window.location.reload();
});
