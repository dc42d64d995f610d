import { readFileSync } from 'node:fs';

/** Settings of the service worker, which reads them from the constant `SERVICE`. */
type WorkerSettings = {
  /** Size of the largest form that another app can share. */
  sharedMaxBytes: number;
  /** Page that is shown without a connection, with its version. */
  noConnectionPath: string;
  /** Public key for which browsers subscribe to push notifications. */
  pushKey: string;
};

const PARTS = [
  new URL('./service-worker/lifecycle.js', import.meta.url),
  new URL('./service-worker/navigation.js', import.meta.url),
  new URL('./service-worker/push.js', import.meta.url),
  new URL('./service-worker/share.js', import.meta.url),
];

/**
 * Returns the service worker as one classic script, because not all browsers run modules there. Browsers replace it when a byte
 * changes, also one of the settings.
 */
export function serviceWorkerScript(settings: WorkerSettings): string {
  const parts = PARTS.map((part) => readFileSync(part, 'utf8'));
  return [`const SERVICE = ${JSON.stringify(settings)};\n`, ...parts].join('\n');
}
