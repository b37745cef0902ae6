// Pages in place of the one before: a link with `data-in-place` exchanges the content alone, and Back brings it back.

import { getContent } from "./api.js";
import { leave } from "./here.js";
import { byId, find, findAll, findAround } from "./page.js";

/**
 * Move the style sheets of a content to the page, and wait for them: it is never shown without, nor are the next ones.
 *
 * @param {HTMLElement} content
 */
const loadStyles = (content) =>
  Promise.all(
    findAll(content, "link[rel=stylesheet]", HTMLLinkElement).map((link) => {
      link.remove();
      if (findAll(document.head, "link", HTMLLinkElement).some((each) => each.href === link.href)) return null;
      return new Promise((done) => {
        link.addEventListener("load", done);
        link.addEventListener("error", done);
        document.head.append(link);
      });
    }),
  );

/**
 * Let links exchange the content. `start(cameInPlace)` is called for this one and for each that comes in its place.
 *
 * @param {(cameInPlace: boolean) => void} start
 */
export const exchangeInPlace = (start) => {
  let shown = location.pathname;
  let requests = 0;

  /**
   * @param {string} url
   * @param {{isBack?: boolean}} options
   */
  const show = async (url, { isBack = false } = {}) => {
    requests += 1;
    const request = requests;
    byId("content").setAttribute("aria-busy", "true");
    const answer = await getContent(url).catch(() => null);
    if (request !== requests) return;
    const page = new DOMParser().parseFromString(answer?.html ?? "", "text/html");
    const content = page.querySelector("main[data-fragment]");
    if (!answer || !(content instanceof HTMLElement)) {
      // What cannot be shown in place, as a refusal or the form to log in, is a page of its own.
      location.assign(url);
      return;
    }
    await loadStyles(content);
    if (request !== requests) return;
    leave();
    byId("content").replaceWith(content);
    const { pathname } = new URL(answer.url);
    if (!isBack && pathname !== shown) history.pushState(null, "", answer.url);
    shown = pathname;
    document.title = page.title;
    scrollTo(0, 0);
    find(content, "h1", HTMLElement).focus({ preventScroll: true });
    start(true);
  };

  document.addEventListener("click", (event) => {
    const link = findAround(event, "a[data-in-place]", HTMLAnchorElement);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  addEventListener("popstate", () => {
    if (location.pathname !== shown) {
      show(location.href, { isBack: true });
    } else {
      // Back to what is still shown: what was asked for meanwhile is no longer wanted.
      requests += 1;
      byId("content").removeAttribute("aria-busy");
    }
  });
  start(false);
};
