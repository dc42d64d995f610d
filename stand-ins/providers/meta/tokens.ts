import { type ProviderRequest, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json } from '../../http/responses.ts';
import type { Providers } from '../providers.ts';
import type { GraphCall } from './graph-call.ts';
import { graphError } from './graph-error.ts';

const SIXTY_DAYS_SECONDS = 60 * 86_400;

/** `GET /debug_token`. @see https://developers.facebook.com/docs/graph-api/reference/debug_token */
export function describeToken({ state }: Providers, { fields }: ProviderRequest): HttpResponse {
  const requested = textOf(fields.input_token);
  const account = [...state.accounts.values()].find(({ token }) => token === requested);
  const isValid = account?.switches.tokenValid === true;
  return json({
    data: {
      app_id: '1',
      type: account?.channel === 'whatsapp' ? 'SYSTEM_USER' : 'PAGE',
      application: 'Shared Inbox',
      data_access_expires_at: 0,
      expires_at: 0,
      is_valid: isValid,
      ...(isValid
        ? { scopes: ['pages_messaging', 'instagram_manage_messages', 'whatsapp_business_messaging'] }
        : { error: { code: 190, message: 'Invalid OAuth access token.', subcode: 460 } }),
    },
  });
}

/** `GET /oauth/access_token`: exchanges a valid token for a long-lived token; here the token stays the same. */
export function exchangeToken({ state }: Providers, { fields }: ProviderRequest): HttpResponse {
  const requested = textOf(fields.fb_exchange_token);
  const account = [...state.accounts.values()].find(({ token }) => token === requested);
  if (!account?.switches.tokenValid) {
    return graphError({
      message: 'Error validating access token: Session has expired.',
      code: 190,
      subcode: 463,
    });
  }
  return json({ access_token: requested, token_type: 'bearer', expires_in: SIXTY_DAYS_SECONDS });
}

/** Instagram's `GET /refresh_access_token`: extends the token by sixty days. */
export function refreshToken({ account }: GraphCall): HttpResponse {
  return json({ access_token: account.token, token_type: 'bearer', expires_in: SIXTY_DAYS_SECONDS });
}
