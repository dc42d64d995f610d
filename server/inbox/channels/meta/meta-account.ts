import { invalid } from '#server/core/errors.ts';
import { providerFaultIn } from '#server/core/provider-request.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { callGraph, type GraphRefusal, type GraphResult } from '#server/inbox/channels/meta/graph-api.ts';
import { isTokenRefused } from '#server/inbox/channels/meta/graph-errors.ts';
import { isMetaId } from '#server/inbox/channels/meta/is-meta-id.ts';
import { reconnectSentence } from '#server/inbox/channels/sending/provider-sentences.ts';

const WRONG_TOKEN = 'Meta does not accept this access token. Copy it again; it may have expired.';
const AWAY = 'Meta could not be reached to check this. Try again later.';
const SECRET_FORM = /^[0-9a-f]{16,128}$/i;
const WRONG_SECRET =
  'An app secret has only the digits 0 to 9 and the letters a to f. Copy it again from App settings, Basic.';

/** A field that names something at Meta, as the screen calls it. */
type IdField = { name: string; label: string };

/**
 * Asks Meta for what a field names, with the token that was filled in.
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
  const response = await ask(() => callGraph({ token: accessToken, path: `${id}${edge}`, query }), name);
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

/** Whether the token is taken for the account: null, or what is wrong. */
export async function testMetaAccount(
  channel: Channel,
  { token, id }: { token: string; id: string },
): Promise<{ reason: string; reconnect: boolean } | null> {
  const { name } = CHANNEL_NAMES[channel];
  try {
    const response = await callGraph({ token, path: id, query: { fields: 'id' } });
    if (response.ok) return null;
    if (isTokenRefused(response.refusal)) return { reason: reconnectSentence(channel), reconnect: true };
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
