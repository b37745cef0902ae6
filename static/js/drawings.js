// Positions that come as what differs from the one before them.

/**
 * Return the whole drawing of which `changed` is what differs from the drawing `before`; one without `kept` is whole.
 *
 * @param {Drawing} before
 * @param {ChangedDrawing} changed
 * @returns {Drawing}
 */
export const completeDrawing = (before, { kept, ...changed }) => {
  if (kept === undefined) return /** @type {Drawing} */ (changed);
  return {
    ...before,
    ...changed,
    figures: { ...before.figures, ...changed.figures },
    looks: { ...before.looks, ...changed.looks },
    labels: { ...before.labels, ...changed.labels },
    lines: [...before.lines.slice(0, kept), ...changed.lines],
  };
};

/**
 * Return the whole sentences of which `changed` has null for those that are as they were `before`.
 *
 * @param {string[]} before
 * @param {(string | null)[]} changed
 */
export const completeSentences = (before, changed) => changed.map((sentence, at) => sentence ?? before[at]);

/**
 * Return the whole position of which `changed` is what differs from the one before.
 *
 * @param {ChangedPosition} changed
 * @param {Drawing} before
 * @param {string[]} sentences
 * @returns {Position}
 */
export const completePosition = (changed, before, sentences) => {
  const drawing = completeDrawing(before, changed.drawing);
  const next = changed.next ? completeDrawing(drawing, changed.next) : null;
  return { trail: null, roll: null, ...changed, drawing, next, in_words: completeSentences(sentences, changed.in_words) };
};
