// The worker of the whole site: shows pushes, and without a connection the page of own matches that offline.js keeps.
// Nothing else is ever cached.

// TypeScript knows windows, not workers of this kind.
const worker = /** @type {any} */ (self);
const OFFLINE_PAGE = "/offline/";
const ENDINGS = ["/log-out/", "/profile/delete/"];
const MAX_LINES = 5;

/** @param {{title: string, body: string, path: string, tag: string, due: number}} message */
const show = async ({ title, body, path, tag, due }) => {
  worker.navigator.setAppBadge?.(due).catch(() => {});
  const shown = await worker.registration.getNotifications();
  // Of what has not been looked at yet, all becomes one notification, with the latest line of each tag.
  const others = shown.filter((/** @type {Notification} */ each) => each.tag !== tag);
  const told = Object.assign({}, ...others.map((/** @type {Notification} */ each) => each.data.told));
  told[tag] = body ? `${title}: ${body}` : title;
  const lines = Object.values(told);
  for (const each of others) each.close();
  const isAlone = lines.length === 1;
  await worker.registration.showNotification(isAlone ? title : `Kickabout (${lines.length})`, {
    body: isAlone ? body : lines.slice(-MAX_LINES).join("\n"),
    tag: isAlone ? tag : "several",
    data: { path: isAlone ? path : "/", told },
    icon: "/static/img/icon-192.png",
  });
};

/**
 * Subscribe again after the push service has ended the subscription, and tell the site, which keeps the device.
 *
 * @param {{oldSubscription: PushSubscription | null, newSubscription: PushSubscription | null}} event
 */
const renew = async ({ oldSubscription, newSubscription }) => {
  const headers = { Accept: "application/json", "X-Unattended": "1" };
  const settings = await fetch("/api/v1/push-settings/", { headers });
  // Nobody is logged in any more.
  if (!settings.ok) return;
  const options = { userVisibleOnly: true, applicationServerKey: (await settings.json()).server_key };
  const made = newSubscription ?? (await worker.registration.pushManager.subscribe(options));
  const page = await fetch("/profile/", { headers: { "X-Unattended": "1" } });
  const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(await page.text())?.[1] ?? "";
  const { endpoint, keys } = made.toJSON();
  await fetch("/api/v1/push-subscriptions/", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify({ endpoint, keys, name: "Browser", replaces: oldSubscription?.endpoint ?? "" }),
  });
};

/** @param {string} path */
const open = async (path) => {
  const url = new URL(path, worker.location.origin).href;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {{url: string}} */ each) => each.url === url);
  return there ? there.focus() : worker.clients.openWindow(url);
};

/** @param {Request | string} request */
const kept = async (request) => (await caches.match(request, { ignoreVary: true })) ?? Response.error();

const erase = async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  for (const each of await worker.registration.getNotifications()) each.close();
  await worker.navigator.clearAppBadge?.();
};

worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data.json())));

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) return;
  if (request.method === "POST" && ENDINGS.includes(pathname)) {
    event.waitUntil(erase());
  } else if (request.method !== "GET") {
    return;
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => kept(OFFLINE_PAGE)));
  } else if (request.destination === "style") {
    event.respondWith(fetch(request).catch(() => kept(request)));
  }
});
