// Subscribes this browser to what its player is told by push.

import { Refusal, get, post } from "./api.js";
import { byId, dataOf, find } from "./page.js";

/** Return what the browser calls itself, for the list of devices. */
const deviceName = () => {
  // TypeScript does not know it, and not every browser has it.
  const known = /** @type {any} */ (navigator).userAgentData;
  return (known ? [known.brands.at(-1)?.brand, known.platform].filter(Boolean).join(", ") : navigator.platform) || "Browser";
};

const subscribe = async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  const settings = await get("/api/v1/push-settings/");
  // One that was made with another key of the site is good for nothing.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: settings.server_key });
  const { endpoint, keys } = made.toJSON();
  await post("/api/v1/push-subscriptions/", { endpoint, keys, name: deviceName() });
};

/** @param {string} reason */
const refuse = (reason) => {
  const notice = byId("push-refused");
  notice.textContent = reason;
  notice.hidden = false;
};

const offer = document.getElementById("this-device");
if (offer && "serviceWorker" in navigator && "PushManager" in window) {
  offer.hidden = false;
  const button = find(offer, "button", HTMLButtonElement);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await subscribe();
      location.reload();
    } catch (error) {
      const notice = byId("push-refused");
      const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
      refuse(error instanceof Refusal ? error.message : dataOf(notice, isDenied ? "denied" : "failed"));
      button.disabled = false;
    }
  });
}
