// How long a deletion can still be undone, counted down beside the time of day. Without it the time of day is enough.
const parts = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

for (const time of document.querySelectorAll("time[data-remaining]")) {
  const until = Date.parse(time.dateTime);
  const said = time.textContent;
  const tick = () => {
    const seconds = Math.round((until - Date.now()) / 1000);
    if (seconds <= 0) {
      time.closest("form")?.remove();
      clearInterval(timer);
      return;
    }
    time.textContent = `${said} (${parts(seconds)})`;
  };
  const timer = setInterval(tick, 1000);
  tick();
}
