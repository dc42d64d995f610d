/** The header in which our HTTP server passes on the client's address, as `TRUST_PROXY` has it. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The address a request came from, as limits count it. */
export function requestAddress(headers: Headers | undefined): string {
  return headers?.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';
}
