// Copy a piece of code, or a whole answer. Over plain HTTP there is no clipboard: then the words are selected and copied.
function copyBySelection(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  const copied = document.execCommand("copy");
  selection.removeAllRanges();
  return copied;
}

async function copy(element) {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(element.innerText);
      return true;
    } catch {
      // The browser may refuse it; selecting still works.
    }
  }
  return copyBySelection(element);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-copy-reply]");
  if (!button) return;
  const source = button.matches("[data-copy]")
    ? button.closest(".code").querySelector("pre")
    : button.closest("article").querySelector("[data-words]");
  if (await copy(source)) {
    button.classList.add("is-copied");
    setTimeout(() => button.classList.remove("is-copied"), 1500);
  }
});
