import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { addressProblem, publicLookup } from '#server/automation/deliveries/public-address.ts';
import { settings } from '#server/core/env.ts';
import { readSettingFile } from '#server/core/secret-files.ts';
import { UserError } from '#server/core/user-error.ts';

/** Timeouts of an attempt (docs/spec.md §6, delivery), in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
export const TOTAL_TIMEOUT_MS = 15_000;
/** Time that an idle connection to the platform stays open, in ms. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Creates the agent for deliveries: keep-alive, TLS only. Checks the certificate for `HOOKS_HOST`, even if
 * `HOOKS_CONNECT_TO` leads elsewhere. Connects to other hosts, those of webhook endpoints, only at public addresses or if
 * `WEBHOOK_PRIVATE_HOSTS` names them. Created once per process.
 * @throws UserError when HOOKS_CA_FILE cannot be read or has no certificate
 */
export function makeHookAgent(): Agent {
  const {
    HOOKS_HOST,
    HOOKS_CONNECT_TO,
    HOOKS_CA_FILE,
    WEBHOOK_PRIVATE_HOSTS: privateHosts = [],
  } = settings();
  // Parse once: passed as `ca`, all certificates are parsed for each connection, which takes 8 ms.
  const trusted = HOOKS_CA_FILE ? [...rootCertificates, readCertificate(HOOKS_CA_FILE)] : undefined;
  const common = {
    timeout: CONNECT_TIMEOUT_MS,
    ...(trusted ? { secureContext: createSecureContext({ ca: trusted }) } : {}),
  };
  const connect = buildConnector(common);
  const connectPublic = buildConnector({ ...common, lookup: publicLookup(privateHosts) });
  const elsewhere = HOOKS_CONNECT_TO ? new URL(`https://${HOOKS_CONNECT_TO}`) : null;
  const platform = elsewhere && {
    hostname: elsewhere.hostname,
    port: elsewhere.port || '443',
    servername: HOOKS_HOST,
  };
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: (options, callback) => {
      if (isOfPlatform(options, HOOKS_HOST)) return connect({ ...options, ...platform }, callback);
      const problem = addressProblem(options.hostname, privateHosts);
      return problem ? callback(problem, null) : connectPublic(options, callback);
    },
  });
}

/** OpenSSL ignores a file without certificates: deliveries would fail later. */
function readCertificate(file: string): string {
  const text = readSettingFile('HOOKS_CA_FILE', file);
  if (/-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(text)) return text;
  throw new UserError(`HOOKS_CA_FILE names ${file}, which has no certificate in the PEM format.`);
}

/** The platform is at the port of HTTPS (`isPlatformHookUrl`). */
function isOfPlatform({ hostname, port }: { hostname: string; port?: string }, hooksHost: string): boolean {
  return hostname === hooksHost.toLowerCase() && (port === undefined || port === '' || port === '443');
}

/** Thrown when an attempt is given up before the request was sent. */
export class NotSentError extends Error {
  constructor() {
    super('Nothing was sent: the lease of the worker may have been lost.');
  }
}
