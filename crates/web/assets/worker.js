// @ts-nocheck: the types of pages and of workers exclude each other.

// Keeps the page, so that it opens while the server does not run: the board,
// the kept games and the training work without it. Whatever the server says
// comes first, and its answers about games are never kept. The server puts
// VERSION and NAMES before this text.

const KEPT = `discern ${VERSION}`;
const FILES = ['/', '/report.css', ...NAMES.filter((name) => /\.(js|css|svg|webmanifest)$/.test(name)).map((name) => `/assets/${name}`)];

addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const kept = await caches.open(KEPT);
    await kept.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
    await skipWaiting();
  })());
});

addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('discern ') && name !== KEPT) await caches.delete(name);
    }
  })());
});

addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin || !FILES.includes(pathname)) return;
  event.respondWith((async () => {
    try {
      return await fetch(event.request);
    } catch (error) {
      const kept = await caches.match(pathname, { cacheName: KEPT });
      if (kept) return kept;
      throw error;
    }
  })());
});
