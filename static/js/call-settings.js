// Lets players choose on their profile how this browser calls them.

import { isWanted, want } from "./calls.js";
import { chime } from "./chime.js";
import { byId, find } from "./page.js";

const sound = find(document, "#call-sound", HTMLInputElement);
const notice = find(document, "#call-notice", HTMLInputElement);
const canNotify = "Notification" in window;

byId("calls").hidden = false;
sound.checked = isWanted("sound");
sound.addEventListener("change", () => {
  want("sound", sound.checked);
  if (sound.checked) chime();
});

notice.disabled = !canNotify;
notice.checked = canNotify && isWanted("notice") && Notification.permission === "granted";
notice.addEventListener("change", async () => {
  const isAllowed = notice.checked && (await Notification.requestPermission()) === "granted";
  byId("call-refused").hidden = isAllowed || !notice.checked;
  notice.checked = isAllowed;
  want("notice", isAllowed);
});
