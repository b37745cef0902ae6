// Keeps the page of own matches for when there is no connection, and erases it where nobody is logged in. The worker of the
// site shows it.

const PAGE = "/offline/";
const WORKER = "/service-worker.js";
const KEPT_AT = "X-Kept-At";
const INTERVAL = 5 * 60 * 1000;

/**
 * Let the site's worker run, and give it the page of a player's matches as they are now, every few minutes at most.
 *
 * @param {number} player
 */
const keep = async (player) => {
  const name = `offline-${player}`;
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other);
  await navigator.serviceWorker.register(WORKER);
  const cache = await caches.open(name);
  const before = await cache.match(PAGE, { ignoreVary: true });
  if (before && Date.now() - Number(before.headers.get(KEPT_AT)) < INTERVAL) return;
  const response = await fetch(PAGE, { headers: { "X-Unattended": "1" } });
  if (!response.ok || response.redirected) return;
  const html = await response.text();
  const page = new DOMParser().parseFromString(html, "text/html");
  const styles = [...page.querySelectorAll("link[rel=stylesheet]")].flatMap((link) => link.getAttribute("href") ?? []);
  await cache.addAll(styles);
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT, String(Date.now()));
  await cache.put(PAGE, new Response(html, { headers }));
};

const erase = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return;
  // A page about a fault knows no player either: only if the server leads to the log-in, nobody is logged in.
  const { type } = await fetch(PAGE, { method: "HEAD", redirect: "manual", headers: { "X-Unattended": "1" } });
  if (type !== "opaqueredirect") return;
  for (const name of await caches.keys()) await caches.delete(name);
  // Its subscription for pushes ends with it.
  await registration.unregister();
  await navigator.clearAppBadge?.();
};

/**
 * Keep what a player sees without a connection, or erase it where nobody is logged in.
 *
 * @param {number | null} player
 */
export const keepOffline = (player) => {
  if (!("serviceWorker" in navigator)) return;
  (player === null ? erase() : keep(player)).catch(() => {
    // No connection, or a browser that keeps nothing here.
  });
};
