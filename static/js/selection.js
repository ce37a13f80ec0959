// Select several rows: the bar with the action shows how many, and only when there are any.
function update(form) {
  const boxes = [...form.querySelectorAll("[data-select]")];
  const chosen = boxes.filter((box) => box.checked).length;
  const bar = form.querySelector("[data-selection-bar]");
  if (!bar) return;
  bar.classList.toggle("is-live", chosen > 0);
  bar.querySelector("[data-selection-count]").textContent = chosen;
  bar.querySelectorAll("button").forEach((button) => { button.disabled = chosen === 0; });
  const all = form.querySelector("[data-select-all]");
  if (all) {
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  }
}

function updateAll() {
  document.querySelectorAll("[data-selection]").forEach(update);
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-selection]");
  if (!form) return;
  if (event.target.matches("[data-select-all]")) {
    form.querySelectorAll("[data-select]").forEach((box) => { box.checked = event.target.checked; });
  }
  update(form);
});

document.addEventListener("htmx:afterSettle", updateAll);
updateAll();
