import { settings } from '#server/core/env.ts';

/**
 * The address that takes the browser back to the platform. It always begins with the one address that the
 * platform registered, so that redirecting anywhere else is impossible (RFC 9700 §2.1). No `iss` parameter.
 */
export function platformReturn(parameters: Record<string, string | undefined>): string {
  const url = new URL(settings().PLATFORM_RETURN_URL);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}
