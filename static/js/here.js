// The content that a page shows here and now. When it is left for another one, what was begun for it goes no further.

let content = new AbortController();

/** Return the signal that is aborted when the content is left: it ends listeners and timers. */
export const here = () => content.signal;

/** Leave the content for another one. */
export const leave = () => {
  content.abort();
  content = new AbortController();
};

/**
 * Return what `promise` comes to, as long as the content is here: once it is left nobody hears of that.
 *
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export const whileHere = (promise) => {
  const signal = here();
  return new Promise((done, fail) => {
    promise.then((value) => signal.aborted || done(value), (error) => signal.aborted || fail(error));
  });
};

/**
 * Wait for so many milliseconds, as long as the content is here.
 *
 * @param {number} delay
 */
export const pause = (delay) => whileHere(new Promise((done) => setTimeout(done, delay)));
