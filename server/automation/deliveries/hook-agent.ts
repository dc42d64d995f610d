import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { settings } from '#server/core/env.ts';

/** Timeouts of an attempt (docs/spec.md §6, delivery), in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
export const TOTAL_TIMEOUT_MS = 15_000;
/** Time that an idle connection to the platform stays open, in ms. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Creates the agent for deliveries: keep-alive, TLS only. Checks the certificate for `HOOKS_HOST`, even if
 * `HOOKS_CONNECT_TO` leads elsewhere. Created once per process.
 * @throws when HOOKS_CA_FILE cannot be read
 */
export function makeHookAgent(): Agent {
  const { HOOKS_HOST, HOOKS_CONNECT_TO, HOOKS_CA_FILE } = settings();
  // Parse once: passed as `ca`, all certificates are parsed for each connection, which takes 8 ms.
  const trusted = HOOKS_CA_FILE ? [...rootCertificates, readFileSync(HOOKS_CA_FILE, 'utf8')] : undefined;
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    ...(trusted ? { secureContext: createSecureContext({ ca: trusted }) } : {}),
  });
  if (!HOOKS_CONNECT_TO) return new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect });
  const { hostname, port } = new URL(`https://${HOOKS_CONNECT_TO}`);
  const elsewhere = { hostname, port: port || '443', servername: HOOKS_HOST };
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => connect({ ...options, ...elsewhere }, callback),
  });
}

/** Thrown when an attempt is given up before the request was sent. */
export class NotSentError extends Error {
  constructor() {
    super('Nothing was sent: the lease of the worker may have been lost.');
  }
}
