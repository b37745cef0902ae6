// The light or dark theme that a person has chosen, kept in this browser only. It loads before the page is drawn, so that
// nothing flashes.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };

  /** @param {string} theme */
  const store = (theme) => {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // A browser that keeps nothing still changes this page.
    }
  };

  const chosen = stored();
  if (chosen) root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const toggle = /** @type {HTMLElement | null} */ (document.querySelector("[data-theme-toggle]"));
    if (!toggle) return;
    toggle.hidden = false;
    toggle.addEventListener("click", () => {
      const now = root.dataset.theme || (dark.matches ? "dark" : "light");
      const other = now === "dark" ? "light" : "dark";
      root.dataset.theme = other;
      store(other);
    });
  });
})();
