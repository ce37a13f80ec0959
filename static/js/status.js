// The one polite status region. Anything may speak there: say("Saved").
let fading;

export function say(words, { spokenOnly = false } = {}) {
  const region = document.querySelector("#status");
  if (!region) return;
  clearTimeout(fading);
  region.classList.toggle("status--spoken", spokenOnly);
  region.querySelector(".status__words").textContent = words;
  fading = setTimeout(() => { region.querySelector(".status__words").textContent = ""; }, 6000);
}

const region = document.querySelector("#status");

// A refusal that has a name is called by it.
document.addEventListener("htmx:responseError", (event) => {
  say(region.getAttribute(`data-failed-${event.detail.xhr.status}`) ?? region.dataset.failed);
});
document.addEventListener("htmx:sendError", () => say(region.dataset.offline));
document.addEventListener("htmx:timeout", () => say(region.dataset.offline));
document.addEventListener("say", (event) => say(event.detail.value ?? event.detail));
