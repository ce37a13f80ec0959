// Long pastes and text files become attachments with a chip: they are quoted material, not the person's words.
const form = document.querySelector("[data-composer]");
const text = form?.querySelector("textarea[name=text]");
const chips = form?.querySelector("[data-chips]");
const chosen = form?.querySelector("[data-files]");
const template = form?.querySelector("template[data-chip]");
let files = [];
// What short pastes left in the text field: many of them are one long paste.
let pieces = [];

function chip(size, onRemove) {
  const made = template.content.firstElementChild.cloneNode(true);
  made.querySelector("[data-chip-size]").textContent = size;
  made.querySelector("[data-chip-remove]").addEventListener("click", () => {
    onRemove();
    made.remove();
    changed();
    text.focus();
  });
  chips.append(made);
  return made;
}

function changed() {
  form.dispatchEvent(new CustomEvent("composer:changed"));
}

function attachPaste(words) {
  const made = chip(`· ${words.slice(0, 32).replace(/\s+/g, " ")}…`, () => {});
  const field = document.createElement("textarea");
  field.name = "pasted";
  field.hidden = true;
  field.value = words;
  made.append(field);
  changed();
}

// The chosen files stay in the file field, so that the form carries them like any other.
function setFiles() {
  const list = new DataTransfer();
  files.forEach((file) => list.items.add(file));
  chosen.files = list.files;
}

function attachFiles(added) {
  for (const file of added) {
    files.push(file);
    const made = chip(`· ${Math.max(1, Math.round(file.size / 1024))} kB`, () => {
      files = files.filter((other) => other !== file);
      setFiles();
    });
    made.querySelector("[data-chip-name]").textContent = file.name;
  }
  setFiles();
  changed();
}

function onPaste(event) {
  const pastedFiles = [...event.clipboardData.files];
  if (pastedFiles.length) {
    event.preventDefault();
    attachFiles(pastedFiles);
    return;
  }
  take(event, event.clipboardData.getData("text/plain"));
}

// Whoever wants it to count as their own words types it.
function take(event, words) {
  pieces = pieces.filter((piece) => text.value.includes(piece));
  if (!isLong([...pieces, words].join("\n"))) {
    if (words.trim()) pieces.push(words);
    return;
  }
  event.preventDefault();
  attachPaste(words);
}

// A Chinese character says as much as two or three letters.
function isLong(words) {
  const size = words.length + (words.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g) ?? []).length * 1.5;
  return words.trimEnd().split(/\r\n|\r|\n/).length > Number(form.dataset.pastedLines) || size > Number(form.dataset.pastedSize);
}

if (form) {
  text.addEventListener("paste", onPaste);
  chosen.addEventListener("change", () => attachFiles([...chosen.files]));
  form.addEventListener("composer:cleared", () => { files = []; pieces = []; setFiles(); });
  form.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
      form.classList.add("is-over");
    }
  });
  form.addEventListener("dragleave", () => form.classList.remove("is-over"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("is-over");
    if (!event.dataTransfer.files.length) {
      if (event.target === text) take(event, event.dataTransfer.getData("text/plain"));
      return;
    }
    event.preventDefault();
    attachFiles([...event.dataTransfer.files]);
  });
}
