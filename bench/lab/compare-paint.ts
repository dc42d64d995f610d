import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from '@playwright/test';
import { compare } from '#bench/compare.ts';
import { consentPath } from '#bench/lab/page-stage.ts';

const PATHS = { inbox: '/inbox', 'consent page': consentPath() };

/**
 * Measures the first contentful paint with an empty cache. Compares with a page of the same size from a bare
 * server: plain text without styles or scripts.
 * @param open opens a browser context of a user signed in at `url`
 */
export async function comparePaint(
  rounds: number,
  open: () => Promise<BrowserContext>,
  url: string,
): Promise<void> {
  const sizes = new Map<string, number>();
  const server = createServer(({ url: path = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(textOf(sizes.get(path) ?? 0));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const side = (name: string, origin: string) => ({
    name,
    measure: async () => {
      const figures: Record<string, number> = {};
      for (const [title, path] of Object.entries(PATHS)) {
        const { paintedMs, bytes } = await paint(open, `${origin}${path}`);
        if (origin === url) sizes.set(path, bytes);
        figures[title] = paintedMs;
      }
      return figures;
    },
  });
  try {
    await compare<string>('screens: until a page is painted', {
      rounds,
      figures: Object.fromEntries(Object.keys(PATHS).map((title) => [title, { unit: 'ms' }])),
      sides: [side('the service', url), side('a bare server', `http://127.0.0.1:${port}`)],
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function paint(open: () => Promise<BrowserContext>, address: string) {
  const context = await open();
  try {
    const page = await context.newPage();
    const response = await page.goto(address, { waitUntil: 'load' });
    if (response?.status() !== 200) throw new Error(`${address} returned ${response?.status()}.`);
    const paintedMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const [first] = list.getEntriesByName('first-contentful-paint');
            if (first) resolve(first.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
    return { paintedMs, bytes: (await response.body()).length };
  } finally {
    await context.close();
  }
}

function textOf(bytes: number): string {
  const line = '<p>A line of a static page.</p>\n';
  return `<!doctype html><title>A page</title>\n${line.repeat(Math.ceil(bytes / line.length))}`;
}
