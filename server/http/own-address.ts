import type { Settings } from '#server/core/env.ts';

/**
 * Under which host and port this process reaches itself. Next answers some forms by asking the server for the page
 * that follows, with the visitor's cookies: it must never ask another one.
 */
export function ownAddress({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): {
  hostname: string;
  port: number;
} {
  return { hostname: LOOPBACK.get(HOST ?? '') ?? HOST ?? '127.0.0.1', port: PORT };
}

/** Hosts that mean all addresses of the machine, and the address at which it reaches itself then. */
const LOOPBACK = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);
