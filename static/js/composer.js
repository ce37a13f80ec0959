// The composer: Enter sends unless an input method is at work, and a draft is kept until the server has it.
const form = document.querySelector("[data-composer]");
const text = form?.querySelector("textarea[name=text]");
const send = form?.querySelector("[data-send]");
const stop = form?.querySelector("[data-stop-button]");
const coarse = window.matchMedia("(pointer: coarse)").matches;
const kept = `draft:${form?.dataset.draft}`;

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function key() {
  return form.querySelector("#send-key");
}

function hasWords() {
  return text.value.trim() !== "" || form.querySelector("[name=pasted], [data-chips] li") !== null;
}

function store(action) {
  try { return action(window.localStorage); } catch { return null; } // storage may be switched off
}

// The key is kept with the draft: what was sent and not heard of is sent again as the same turn.
function keepDraft() {
  const draft = JSON.stringify({ text: text.value, key: key().value });
  store((storage) => (text.value ? storage.setItem(kept, draft) : storage.removeItem(kept)));
}

function restoreDraft() {
  const draft = JSON.parse(store((storage) => storage.getItem(kept)) ?? "null");
  if (draft && !text.value) {
    text.value = draft.text;
    key().value = draft.key;
  }
}

export function refresh() {
  if (!form) return;
  const answering = document.querySelector("article[data-stream] [data-stop]");
  send.hidden = answering !== null;
  stop.hidden = answering === null;
  if (answering) stop.setAttribute("form", answering.id);
  send.disabled = !hasWords();
}

function onEnter(event) {
  // While an input method composes, Enter commits its candidate; some browsers only say so by key code 229.
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
  // On a touch keyboard Enter is the only way to break a line.
  if (event.shiftKey || event.altKey || coarse) return;
  event.preventDefault();
  if (!send.hidden && !send.disabled) form.requestSubmit(send);
}

function onSent(event) {
  store((storage) => storage.removeItem(kept));
  form.reset();
  text.value = "";
  form.querySelector("[data-chips]").replaceChildren();
  form.querySelector("#send-problem").replaceChildren();
  key().value = newKey();
  form.dispatchEvent(new CustomEvent("composer:cleared"));
  refresh();
}

// Whoever went on to something else meanwhile stays there.
function onEnded() {
  const free = document.activeElement === document.body || document.activeElement === stop;
  refresh();
  if (free && !coarse) text.focus({ preventScroll: true });
}

if (form) {
  restoreDraft();
  refresh();
  text.addEventListener("keydown", onEnter);
  form.addEventListener("input", () => { keepDraft(); refresh(); });
  form.addEventListener("composer:changed", refresh);
  form.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.elt === form) send.disabled = true; });
  form.addEventListener("htmx:afterRequest", (event) => { if (event.detail.elt === form) refresh(); });
  document.body.addEventListener("chat:sent", onSent);
  document.body.addEventListener("htmx:afterSettle", refresh);
  document.body.addEventListener("chat:ended", onEnded);
}
