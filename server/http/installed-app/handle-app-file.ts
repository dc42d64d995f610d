import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pushKeys } from '#server/administration/notifications/push-keys.ts';
import { settings } from '#server/core/env.ts';
import { processState } from '#server/core/process-state.ts';
import { NO_CONNECTION_HEADERS, noConnectionPage } from '#server/http/installed-app/no-connection-page.ts';
import { serviceWorkerScript } from '#server/http/installed-app/service-worker.ts';
import { sendText } from '#server/http/response/send-json.ts';
import { ATTACHMENTS_MAX_BYTES, SHARED_TYPES } from '#server/inbox/files/content-types.ts';
import { CANVAS } from '#server/screens/themes.ts';

type AppFile = {
  type: string;
  body: string | Buffer;
  etag: string;
  cacheControl: string;
  headers?: Record<string, string>;
};

/** Path to which browsers post what another app shares. The service worker handles it. */
export const SHARE_TARGET_PATH = '/share-target';

/** Path of the icons. A changed icon needs a new name. */
const ICONS_PATH = '/app-icons/';
const ICONS = [
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'apple-touch-icon.png',
  'badge-96.png',
];
const MANIFEST_PATH = '/manifest.webmanifest';
const WORKER_PATH = '/service-worker.js';
const NO_CONNECTION_PATH = '/no-connection';
const PATHS = new Set([
  MANIFEST_PATH,
  WORKER_PATH,
  NO_CONNECTION_PATH,
  ...ICONS.map((name) => `${ICONS_PATH}${name}`),
]);

/** A day. */
const ICON_CACHE = 'public, max-age=86400';
const REVALIDATED = 'public, max-age=0, must-revalidate';

/** The texts of a share, and the boundaries of its form. */
const SHARED_TEXT_BYTES = 1024 * 1024;

const files = processState(() => {
  const icon = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));
  const { SERVICE_NAME } = settings();
  const noConnection = {
    ...appFile('text/html; charset=utf-8', noConnectionPage(SERVICE_NAME), REVALIDATED),
    headers: NO_CONNECTION_HEADERS,
  };
  const worker = serviceWorkerScript({
    sharedMaxBytes: ATTACHMENTS_MAX_BYTES + SHARED_TEXT_BYTES,
    pushKey: pushKeys().publicKey,
    // Another page is another worker, so browsers store it with the next release.
    noConnectionPath: `${NO_CONNECTION_PATH}?${noConnection.etag.replaceAll('"', '')}`,
  });
  return new Map<string, AppFile>([
    [NO_CONNECTION_PATH, noConnection],
    ...ICONS.map((name) => [`${ICONS_PATH}${name}`, appFile('image/png', icon(name), ICON_CACHE)] as const),
    [WORKER_PATH, appFile('text/javascript; charset=utf-8', worker, REVALIDATED)],
    [
      MANIFEST_PATH,
      appFile('application/manifest+json', JSON.stringify(manifest(SERVICE_NAME)), REVALIDATED),
    ],
  ]);
});

/** Returns whether the path is a file that browsers need to install the app. */
export function isAppFile(path: string): boolean {
  return PATHS.has(path);
}

/** Serves the web app manifest, the service worker and the icons. They are the same for everyone and need no session. */
export function handleAppFile(req: IncomingMessage, res: ServerResponse, path: string): void {
  const file = files().get(path);
  if (!file) throw new Error(`There is no app file at ${path}.`);
  const headers = { ETag: file.etag, 'Cache-Control': file.cacheControl };
  if (req.headers['if-none-match'] === file.etag) {
    res.writeHead(304, { ...headers, 'X-Content-Type-Options': 'nosniff' }).end();
    return;
  }
  sendText(res, 200, file.body, { ...headers, ...file.headers, 'Content-Type': file.type });
}

function appFile(type: string, body: string | Buffer, cacheControl: string): AppFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, etag, cacheControl };
}

/** Returns the web app manifest (https://www.w3.org/TR/appmanifest/). Colours of the start screen are those of the light theme. */
function manifest(name: string) {
  const icon = (file: string, sizes: string, purpose: 'any' | 'maskable') => ({
    src: `${ICONS_PATH}${file}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/inbox',
    name,
    short_name: name,
    start_url: '/inbox',
    scope: '/',
    display: 'standalone',
    background_color: CANVAS.light,
    theme_color: CANVAS.light,
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('icon-maskable-512.png', '512x512', 'maskable'),
    ],
    share_target: {
      action: SHARE_TARGET_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: SHARED_TYPES }],
      },
    },
  };
}
