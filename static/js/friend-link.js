// The link to a game with a friend, copied by a button: the page's own URL.

import { byId, dataOf } from "./page.js";
import { enableShareButton, showShareButton } from "./share-button.js";

enableShareButton(dataOf(byId("share"), "copied"));
showShareButton();
