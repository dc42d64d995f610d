import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { ProviderFault } from '#server/core/provider-request.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES, type ChannelField } from '#server/inbox/channels/channel-names.ts';
import { callGraph, type GraphRefusal, type GraphResult } from '#server/inbox/channels/meta/graph-api.ts';
import { isAppSecretRefused, isTokenRefused } from '#server/inbox/channels/meta/graph-errors.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

const WRONG_TOKEN = 'Meta does not accept this access token. It may have expired. Copy it again.';
const UNREACHABLE = 'Meta could not be reached to check this. Try again later.';
const SECRET_FORM = /^[0-9a-f]{16,128}$/i;
const WRONG_SECRET =
  'An app secret contains only the digits 0 to 9 and the letters a to f. Copy it again from App settings > Basic.';
const OTHER_SECRET =
  'This is not the secret of the app that the access token belongs to. Copy it from that app’s App settings > Basic.';

/** The form field with an object's id, and its label on the screen. */
type IdField = { name: string; label: string };

/**
 * Requests an object from Meta with the submitted token. Meta also checks the app secret, as with a wrong secret no
 * webhook of the account would ever verify.
 * @throws Refusal under the wrong field
 */
export async function requestAccount(
  fields: Record<string, string>,
  { name, label }: IdField,
  query: Record<string, string>,
  edge = '',
): Promise<unknown> {
  const { [name]: id = '', accessToken = '', appSecret = '' } = fields;
  if (!isMetaId(id)) throw invalid({ [name]: [`${label} can contain only digits. Copy it again.`] });
  if (!SECRET_FORM.test(appSecret)) throw invalid({ appSecret: [WRONG_SECRET] });
  const response = await callOrRefuse(
    () => callGraph({ token: accessToken, appSecret, path: `${id}${edge}`, query }),
    name,
  );
  if (response.ok) return response.body;
  throw connectRefusal(response.refusal, { name, label });
}

/** Subscribes the app to the updates of a page or a WhatsApp business account. */
export async function subscribeApp(
  { token, id, query }: { token: string; id: string; query?: Record<string, string> },
  field: IdField,
): Promise<void> {
  const path = `${id}/subscribed_apps`;
  const response = await callOrRefuse(
    () => callGraph({ token, path, method: 'POST', ...(query ? { query } : {}) }),
    field.name,
  );
  if (!response.ok) throw connectRefusal(response.refusal, field);
}

/** Returns null when Meta accepts the token and the app secret for the account, else the problem. */
export async function testMetaAccount({
  channel,
  externalId,
  credentials,
}: ConnectedAccount): Promise<{ reason: string; reconnect: boolean } | null> {
  const { name } = CHANNEL_NAMES[channel];
  const { accessToken: token = '', appSecret = '' } = credentials;
  try {
    const response = await callGraph({ token, appSecret, path: externalId, query: { fields: 'id' } });
    if (response.ok) return null;
    if (isTokenRefused(response.refusal)) return { reason: reconnectSentence(channel), reconnect: true };
    if (isAppSecretRefused(response.refusal)) {
      return {
        reason: `${name} no longer accepts the app secret. Connect the account again with the new one.`,
        reconnect: false,
      };
    }
    return { reason: `${name} says: ${response.refusal.message.slice(0, 200)}`, reconnect: false };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return { reason: `${name} could not be reached.`, reconnect: false };
  }
}

async function callOrRefuse(call: () => Promise<GraphResult>, field: string): Promise<GraphResult> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ProviderFault ? invalid({ [field]: [UNREACHABLE] }) : error;
  }
}

function connectRefusal(refusal: GraphRefusal, { name, label }: IdField): Error {
  if (isTokenRefused(refusal)) return invalid({ accessToken: [WRONG_TOKEN] });
  if (isAppSecretRefused(refusal)) return invalid({ appSecret: [OTHER_SECRET] });
  const detail = refusal.message.slice(0, 200);
  // Code 100: the object does not exist, or is not visible to the token.
  if (refusal.code === 100) {
    return invalid({
      [name]: [`Meta finds nothing for this ${label} with this token. Check both. Meta says: ${detail}`],
    });
  }
  return invalid({
    accessToken: [
      `The access token lacks permissions. Add the permissions from the guide. Meta says: ${detail}`,
    ],
  });
}

const tokenShape = z.object({
  data: z.object({
    app_id: z.coerce.string().catch(''),
    is_valid: z.boolean(),
    /** Seconds since the epoch; 0 for a token that never expires. */
    expires_at: z.number().catch(0),
    data_access_expires_at: z.number().catch(0),
  }),
});

/** `expiresAt` is when the token or its data access expires, whichever is first. */
type TokenFacts = { appId: string; isValid: boolean; expiresAt: Date | null };

/**
 * Inspects a token, authorized by the token itself (Graph API, debug_token).
 * @returns null when Meta returns no data or is unreachable; problems then show when the token is used
 */
export async function inspectToken(token: string): Promise<TokenFacts | null> {
  try {
    const response = await callGraph({ token, path: 'debug_token', query: { input_token: token } });
    const facts = response.ok ? tokenShape.safeParse(response.body).data?.data : undefined;
    if (!facts) return null;
    const expiries = [facts.expires_at, facts.data_access_expires_at].filter((seconds) => seconds > 0);
    const first = expiries.length > 0 ? new Date(Math.min(...expiries) * 1000) : null;
    return { appId: facts.app_id, isValid: facts.is_valid, expiresAt: first };
  } catch (error) {
    if (error instanceof ProviderFault) return null;
    throw error;
  }
}

/** Returns true for a valid Meta id, as numbers, pages, accounts and files have. */
export function isMetaId(text: string): boolean {
  return /^\d{1,40}$/.test(text);
}

const ACCESS_TOKEN = {
  name: 'accessToken',
  label: 'Access token',
  secret: true,
} as const;

const APP_SECRET: ChannelField = {
  name: 'appSecret',
  label: 'App secret',
  hint: 'In your app at developers.facebook.com under App settings > Basic.',
  secret: true,
};

/** Returns the form fields of a Meta channel: its own field, then token and secret (`docs/rulings.md` 3.25). */
export function metaFields(own: ChannelField, accessTokenHint: string): ChannelField[] {
  return [own, { ...ACCESS_TOKEN, hint: accessTokenHint }, APP_SECRET];
}
