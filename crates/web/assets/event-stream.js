// Server-sent events through `fetch`, which, unlike EventSource, shows the
// sentence of an error and never reconnects by itself.

import { ask, failure } from './api.js';

/**
 * Reads a stream of events to its end. Resolves early if the signal aborts.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(name: string, data: any) => void} receive
 */
export async function readEvents(url, signal, receive) {
  try {
    const response = await ask(url, { signal, headers: { accept: 'text/event-stream' } });
    if (!response.ok || !response.body) throw await failure(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const event = parseEvent(part);
        if (event && !signal.aborted) receive(event.name, event.data);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @param {string} block */
function parseEvent(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length ? { name, data: JSON.parse(data.join('\n')) } : null;
}
