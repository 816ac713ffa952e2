// The clack of a disc, made here so that nothing has to be fetched.

import { settings } from './settings.js';

/** @type {AudioContext | null} */
let context = null;

/** Sounds only if the user wants it. */
export function clack() {
  if (settings.sounds !== 'on') return;
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(900, at);
  tone.frequency.exponentialRampToValueAtTime(180, at + 0.05);
  loudness.gain.setValueAtTime(0.25, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  tone.connect(loudness).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.1);
}
