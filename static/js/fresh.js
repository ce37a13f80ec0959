// Back must not show what has been deleted since: a page taken from the browser's memory is fetched again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
