// Replies as they are written: numbered parts, each taking the place of all but the first `kept` blocks.
import { say } from "./status.js";
import { refresh } from "./composer.js";

const NEAR = 80; // pixels from the end that still count as being there
const words = document.querySelector("[data-answering-words]")?.dataset;
const scroll = document.querySelector("[data-scroll]");
const following = new Map();
let atEnd = true;

function toEnd() {
  if (scroll && atEnd) scroll.scrollTop = scroll.scrollHeight;
}

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

function follow(row) {
  if (following.has(row.id)) return;
  const source = new EventSource(row.dataset.stream);
  let last = 0;
  following.set(row.id, source);
  say(words.answeringWords, { spokenOnly: true });
  // Every connection begins with one part that holds all there is; after it each number is the next.
  source.addEventListener("open", () => { last = 0; });
  source.addEventListener("part", (event) => {
    const number = Number(event.lastEventId);
    if (number <= last) return;
    last = number;
    show(row, JSON.parse(event.data));
  });
  source.addEventListener("end", (event) => end(row, source, JSON.parse(event.data).html));
  source.addEventListener("error", () => {
    // The browser tries again by itself, unless the server answered with something else.
    if (source.readyState === EventSource.CLOSED) {
      following.delete(row.id);
      setTimeout(followAll, 2000);
    } else {
      say(words.lostWords);
    }
  });
}

function followAll() {
  document.querySelectorAll("article[data-stream]").forEach(follow);
  refresh();
}

if (scroll) {
  const marked = document.querySelector("#quoted") ?? document.querySelector(".said--marked");
  if (scroll.hasAttribute("data-quoted") && marked) {
    atEnd = false;
    marked.scrollIntoView({ block: "center" });
  }
  toEnd();
  scroll.addEventListener("scroll", () => {
    atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;
  }, { passive: true });
  new ResizeObserver(toEnd).observe(scroll);
  document.body.addEventListener("chat:sent", () => { atEnd = true; });
  document.body.addEventListener("htmx:afterSettle", () => { followAll(); toEnd(); });
  window.addEventListener("pagehide", () => following.forEach((source) => source.close()));
  followAll();
}
