// Says that a part of the page is at work.

let tasks = 0;

/** Have the match marked as busy until `promise` is settled; several may be under way. */
export async function working(promise) {
  const page = document.getElementById("match");
  page.setAttribute("aria-busy", "true");
  tasks += 1;
  try {
    return await promise;
  } finally {
    tasks -= 1;
    if (!tasks) page.removeAttribute("aria-busy");
  }
}
