// Select several rows: how many are chosen, and the box that chooses all. The bar itself shows by CSS.
function update(form) {
  const boxes = [...form.querySelectorAll("[data-select]")];
  const chosen = boxes.filter((box) => box.checked).length;
  form.querySelector("[data-selection-count]").textContent = chosen;
  const all = form.querySelector("[data-select-all]");
  all.checked = chosen > 0 && chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
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
