// The button that copies a page's address.

const button = () => document.getElementById("share");

/** Show it where the browser can copy. */
export const offerSharing = () => {
  button().hidden = !navigator.clipboard;
};

/** Copy the address when it is pressed; `copied` is what the button says then. */
export const followSharing = (copied) => {
  document.addEventListener("click", async (event) => {
    if (!event.target.closest("#share")) return;
    await navigator.clipboard.writeText(location.href);
    button().textContent = copied;
  });
};
