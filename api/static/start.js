// While a job runs, look again every two seconds, and replace what has changed: no state of its own.
const running = () => document.querySelector("#jobs [data-running]") !== null;

async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const wasRunning = running();
  document.querySelector("#jobs").replaceWith(page.querySelector("#jobs"));
  const tiles = page.querySelector(".tiles");
  if (tiles) document.querySelector(".tiles")?.replaceWith(tiles);
  if (wasRunning && !running()) document.querySelector("main").replaceWith(page.querySelector("main"));
}

setInterval(() => {
  if (running() && !document.hidden) refresh().catch(() => {});
}, 2000);
