// The rows of a conversation stick to their end while the reader is there, and keep the place of one who is not.
const NEAR = 80; // pixels from the end that still count as being there
const scroll = document.querySelector("[data-scroll]");
let atEnd = true;
let fromEnd = null;

export function toEnd() {
  if (scroll && atEnd) scroll.scrollTop = scroll.scrollHeight;
}

function isEarlier(event) {
  return event.detail.target.matches(".chat__more");
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
  // Earlier messages come in above: what was being read stays where it was.
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (isEarlier(event)) fromEnd = scroll.scrollHeight - scroll.scrollTop;
  });
  document.body.addEventListener("htmx:afterSettle", () => {
    if (fromEnd !== null) scroll.scrollTop = scroll.scrollHeight - fromEnd;
    fromEnd = null;
    toEnd();
  });
}
