import { z } from 'zod';
import { invalid } from '#server/core/errors.ts';
import { providerFaultIn } from '#server/core/provider-request.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_NAMES, type ChannelField } from '#server/inbox/channels/channel-names.ts';
import { callGraph, type GraphRefusal, type GraphResult } from '#server/inbox/channels/meta/graph-api.ts';
import { isAppSecretRefused, isTokenRefused } from '#server/inbox/channels/meta/graph-errors.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

const WRONG_TOKEN = 'Meta does not accept this access token. Copy it again; it may have expired.';
const AWAY = 'Meta could not be reached to check this. Try again later.';
const SECRET_FORM = /^[0-9a-f]{16,128}$/i;
const WRONG_SECRET =
  'An app secret has only the digits 0 to 9 and the letters a to f. Copy it again from App settings, Basic.';
const OTHER_SECRET =
  'This is not the secret of the app that the access token belongs to. Copy it from App settings, Basic, of that app.';

/** A field that names something at Meta, as the screen calls it. */
type IdField = { name: string; label: string };

/**
 * Requests from Meta what a field names, with the token that was filled in. Meta checks the app secret with it: with a
 * wrong secret no webhook of the account would ever verify.
 * @throws Refusal under the field that is wrong
 */
export async function askAboutAccount(
  fields: Record<string, string>,
  { name, label }: IdField,
  query: Record<string, string>,
  edge = '',
): Promise<unknown> {
  const { [name]: id = '', accessToken = '', appSecret = '' } = fields;
  if (!isMetaId(id)) throw invalid({ [name]: [`${label} has digits only. Copy it again.`] });
  if (!SECRET_FORM.test(appSecret)) throw invalid({ appSecret: [WRONG_SECRET] });
  const response = await ask(
    () => callGraph({ token: accessToken, appSecret, path: `${id}${edge}`, query }),
    name,
  );
  if (response.ok) return response.body;
  throw refusedConnecting(response.refusal, { name, label });
}

/** Has Meta send the updates of something to the app: a page, or a business account of WhatsApp. */
export async function subscribeApp(
  { token, id, query }: { token: string; id: string; query?: Record<string, string> },
  field: IdField,
): Promise<void> {
  const path = `${id}/subscribed_apps`;
  const response = await ask(
    () => callGraph({ token, path, method: 'POST', ...(query ? { query } : {}) }),
    field.name,
  );
  if (!response.ok) throw refusedConnecting(response.refusal, field);
}

/** Returns null if Meta accepts token and app secret for the account, or what is wrong. */
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
    if (!providerFaultIn(error)) throw error;
    return { reason: `${name} could not be reached.`, reconnect: false };
  }
}

async function ask(call: () => Promise<GraphResult>, field: string): Promise<GraphResult> {
  try {
    return await call();
  } catch (error) {
    throw providerFaultIn(error) ? invalid({ [field]: [AWAY] }) : error;
  }
}

function refusedConnecting(refusal: GraphRefusal, { name, label }: IdField): Error {
  if (isTokenRefused(refusal)) return invalid({ accessToken: [WRONG_TOKEN] });
  if (isAppSecretRefused(refusal)) return invalid({ appSecret: [OTHER_SECRET] });
  const said = refusal.message.slice(0, 200);
  // Code 100: there is no such object, or the token may not see it.
  if (refusal.code === 100) {
    return invalid({
      [name]: [`Meta shows this token nothing under this ${label}. Check both. It says: ${said}`],
    });
  }
  return invalid({
    accessToken: [
      `Meta does not give this token what is needed. Add the permissions of the guide. It says: ${said}`,
    ],
  });
}

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
type TokenFacts = { appId: string; isValid: boolean; expiresAt: Date | null };

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

/** Whether a text has the form of an id that Meta gives to numbers, pages, accounts and files. */
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
  hint: 'Under App settings, Basic, of your app at developers.facebook.com.',
  secret: true,
};

/** The fields that every channel of Meta asks for, the account's own first (decisions: conversations and contacts, 25). */
export function metaFields(own: ChannelField, accessTokenHint: string): ChannelField[] {
  return [own, { ...ACCESS_TOKEN, hint: accessTokenHint }, APP_SECRET];
}
