// The shared worker that holds the one event stream of a browser for all its tabs.

import { StreamHub } from "./stream-hub.js";

/** @type {Set<MessagePort>} */
const ports = new Set();
/** @type {StreamHub | null} */
let hub = null;

/** @param {StreamMessage} message */
const sendToAll = (message) => {
  for (const port of ports) port.postMessage(message);
  if (message.type === "gone") hub = null;
};

self.addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  port.onmessage = ({ data }) => {
    if (data.type === "bye") ports.delete(port);
    else ports.add(port);
    hub ??= new StreamHub(data.config, sendToAll);
    hub.receive(data);
  };
});
