// A short sound of two notes, made by the browser itself.

const NOTES = [
  { hertz: 659.26, after: 0 },
  { hertz: 987.77, after: 0.13 },
];
const LENGTH = 0.4;
const VOLUME = 0.2;

/** @type {AudioContext | null} */
let context = null;

/** Get ready at the first click or key on this page: browsers let no page make a sound before that. */
export const prepareChime = () => {
  const waiting = new AbortController();
  const prepare = () => {
    if (!navigator.userActivation?.isActive) return;
    waiting.abort();
    context ??= new AudioContext();
    context.suspend();
  };
  for (const input of ["click", "keydown"]) addEventListener(input, prepare, { capture: true, signal: waiting.signal });
};

/** Play the sound, if this page may make one. */
export const chime = () => {
  if (!context && navigator.userActivation?.isActive) context = new AudioContext();
  const audio = context;
  if (!audio) return;
  audio.resume();
  const notes = NOTES.map(({ hertz, after }) => play(audio, hertz, after));
  notes.at(-1)?.addEventListener("ended", () => audio.suspend());
};

/**
 * @param {AudioContext} audio
 * @param {number} hertz
 * @param {number} after
 */
const play = (audio, hertz, after) => {
  const start = audio.currentTime + after;
  const note = new OscillatorNode(audio, { frequency: hertz, type: "triangle" });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(VOLUME, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  note.connect(volume).connect(audio.destination);
  note.start(start);
  note.stop(start + LENGTH);
  return note;
};
