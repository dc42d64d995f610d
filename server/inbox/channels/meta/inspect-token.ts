import { z } from 'zod';
import { providerFaultIn } from '#server/core/provider-request.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';

const tokenShape = z.object({
  data: z.object({
    app_id: z.coerce.string().catch(''),
    is_valid: z.boolean(),
    /** Seconds since 1970; 0: it never ends. */
    expires_at: z.number().catch(0),
    data_access_expires_at: z.number().catch(0),
  }),
});

/** What Meta says of a token. `expiresAt`: when it, or its access to data, ends. */
export type TokenFacts = { appId: string; isValid: boolean; expiresAt: Date | null };

/**
 * Asks Meta about a token, with that token itself (Graph API, debug_token).
 * @returns null when Meta does not say, or cannot be reached: then it is found out when the token is used
 */
export async function inspectToken(token: string): Promise<TokenFacts | null> {
  try {
    const response = await callGraph({ token, path: 'debug_token', query: { input_token: token } });
    const facts = response.ok ? tokenShape.safeParse(response.body).data?.data : undefined;
    if (!facts) return null;
    const ends = [facts.expires_at, facts.data_access_expires_at].filter((seconds) => seconds > 0);
    const first = ends.length > 0 ? new Date(Math.min(...ends) * 1000) : null;
    return { appId: facts.app_id, isValid: facts.is_valid, expiresAt: first };
  } catch (error) {
    if (providerFaultIn(error)) return null;
    throw error;
  }
}
