// Replies as they are written: numbered parts, each taking the place of all but the first `kept` blocks.
import { say } from "./status.js";
import { refresh } from "./composer.js";
import { toEnd } from "./scroll.js";

const FIRST_WAIT = 2000;
const TRIES = 6; // to reach a server that refuses, each after twice the wait of the one before
const words = document.querySelector("[data-answering-words]")?.dataset;
const following = new Map();

function show(row, part) {
  const body = row.querySelector("[data-words]");
  while (body.children.length > part.kept) body.lastElementChild.remove();
  body.insertAdjacentHTML("beforeend", part.html);
  row.classList.add("has-words");
  toEnd();
}

function end(row, source, html) {
  source.close();
  following.delete(row.id);
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  const finished = holder.content.firstElementChild;
  if (finished) {
    row.replaceWith(finished);
    window.htmx?.process(finished);
  } else {
    row.remove();
  }
  say(words.doneWords, { spokenOnly: true });
  document.body.dispatchEvent(new CustomEvent("chat:ended"));
  toEnd();
}

function follow(row, tried = 0) {
  const source = new EventSource(row.dataset.stream);
  let last = 0;
  following.set(row.id, source);
  // Every connection begins with one part that holds all there is; after it each number is the next.
  source.addEventListener("open", () => { last = 0; tried = 0; });
  source.addEventListener("part", (event) => {
    const number = Number(event.lastEventId);
    if (number <= last) return;
    last = number;
    show(row, JSON.parse(event.data));
  });
  source.addEventListener("end", (event) => end(row, source, JSON.parse(event.data).html));
  source.addEventListener("error", () => {
    // The browser tries again by itself, unless the server answered with something else.
    if (source.readyState !== EventSource.CLOSED) {
      say(words.lostWords);
    } else if (tried < TRIES) {
      setTimeout(() => { if (row.isConnected) follow(row, tried + 1); }, FIRST_WAIT * 2 ** tried);
    } else {
      say(words.goneWords);
    }
  });
}

function followAll() {
  document.querySelectorAll("article[data-stream]").forEach((row) => {
    if (following.has(row.id)) return;
    follow(row);
    say(words.answeringWords, { spokenOnly: true });
  });
  refresh();
}

document.body.addEventListener("htmx:afterSettle", followAll);
window.addEventListener("pagehide", () => following.forEach((source) => source.close()));
followAll();
