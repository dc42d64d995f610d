import type { IncomingMessage } from 'node:http';

/** An absolute address: its host, and what follows. No one is named in it. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * Judges a request's target and host (RFC 9112 §3.2); returns a sentence when it is to be answered with `400`. An
 * absolute address is as good as a path, and its host counts instead of the header's: the request is changed so.
 */
export function checkRequest(req: IncomingMessage): string | undefined {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1'))
    return 'The request must have exactly one Host header.';
  const [, host, rest = ''] = ABSOLUTE.exec(req.url ?? '') ?? [];
  if (host !== undefined) {
    req.headers.host = host;
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
  return req.url?.startsWith('/') ? undefined : 'The target of the request must be a path.';
}
