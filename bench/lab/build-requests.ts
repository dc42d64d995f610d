import type { BenchRequest } from '#bench/lab/request-load.ts';
import type { IssuedCode, RequestStage } from '#bench/lab/request-stage.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { API_PATH } from '#server/core/env.ts';
import { CREDENTIALS } from '#test/clients/token-client.ts';
import { PLATFORM } from '#test/servers/settings.ts';

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
let addresses = 0;

function headersOf({ connections }: RequestStage, n: number): Record<string, string> {
  const { accessToken } = connections[n % connections.length] ?? { accessToken: '' };
  return { authorization: `Bearer ${accessToken}` };
}

/** Builds API calls that rotate through the connections, so that none of them reaches its rate limit. */
export function calls(
  count: number,
  one: (stage: RequestStage, n: number) => Pick<BenchRequest, 'method' | 'path'> & { body?: object },
) {
  return (stage: RequestStage) =>
    times(scaled(count), (n): BenchRequest => {
      const { method, path, body } = one(stage, n);
      const headers = headersOf(stage, n);
      if (!body) return { method, path: API_PATH + path, headers };
      const withType = { ...headers, 'content-type': 'application/json' };
      return { method, path: API_PATH + path, headers: withType, body: JSON.stringify(body) };
    });
}

/**
 * Builds token requests. The address changes after `callsPerAddress`, which must stay below the limit of an
 * address.
 */
function grants(fields: Record<string, string>[], callsPerAddress: number): BenchRequest[] {
  return fields.map((each, n) => {
    if (n % callsPerAddress === 0) addresses += 1;
    const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address };
    return {
      method: 'POST',
      path: '/oauth/token',
      headers,
      body: new URLSearchParams({ ...each, ...CREDENTIALS }).toString(),
    };
  });
}

/** Builds refreshes with these tokens in rotation. */
export function refreshes(
  tokens: string[],
  { count = scaled(2_000), callsPerAddress = 1 } = {},
): BenchRequest[] {
  return grants(
    times(count, (n) => ({
      grant_type: 'refresh_token',
      refresh_token: tokens[n % tokens.length] ?? '',
    })),
    callsPerAddress,
  );
}

/** Builds one exchange for each code. */
export function exchanges(codes: IssuedCode[], { callsPerAddress = 1 } = {}): BenchRequest[] {
  return grants(
    codes.map(({ code, verifier }) => ({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: PLATFORM.returnUrl,
    })),
    callsPerAddress,
  );
}
