import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { log } from '#server/core/log.ts';
import { isStorableText, parseJson } from '#server/core/text.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { isWithin, refuseWebhook } from '#server/http/inbound/limit-webhooks.ts';
import { readBytes } from '#server/http/request/read-body.ts';
import { queryOf } from '#server/http/request/request-parts.ts';
import { sendJson, sendText } from '#server/http/response/send-json.ts';
import {
  findAccount,
  findAccountsOfProvider,
  noteWebhookCalled,
  wasConnected,
} from '#server/inbox/channels/accounts/find-account.ts';
import { WEBHOOKS_PATH } from '#server/inbox/channels/accounts/webhook-address.ts';
import type { AccountChannel, ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { CHANNEL_LIST } from '#server/inbox/channels/channel-names.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import type { WebhookRequest, WebhookVerdict } from '#server/inbox/channels/received-update.ts';
import { storeUpdate } from '#server/inbox/provider-updates/store-update.ts';

/** Maximum size of a webhook: Meta's batches are up to 3 MB. */
export const WEBHOOK_BODY_MAX_BYTES = 3 * 1024 * 1024;

const UNKNOWN = 'There is no account at this address.';
const BAD_SIGNATURE = 'The signature is wrong.';
const TOO_LARGE = { message: 'The body is too large.' };
const NO_JSON = { message: 'The body is not JSON.' };

/**
 * Receives a provider's webhook at `/webhooks/<channel>/<account id>`: checks its signature, stores it and
 * responds `200`; a job processes it. A request without a valid signature stores nothing (docs/rulings.md
 * 3.25).
 */
export async function handleWebhook(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const address = String(req.headers[CLIENT_ADDRESS_HEADER] ?? '');
  if (!(await isWithin(res, 'webhook_address', address))) return;
  const found = await findCalled(path);
  if (!found) return refuseWebhook(res, address, 404, UNKNOWN);
  const { account, adapter } = found;
  const rawBody = await readBytes(req, WEBHOOK_BODY_MAX_BYTES);
  if (!rawBody) return sendJson(res, 413, TOO_LARGE);
  const request = { method: req.method ?? 'GET', rawBody, headers: headersOf(req), query: queryOf(req) };
  const verified = await verifyRequest(request, found);
  if (verified.kind === 'bad_signature') return refuseWebhook(res, address, 401, BAD_SIGNATURE);
  if (verified.kind === 'reply') {
    if (account && verified.status === 200) await noteWebhookCalled(account);
    return sendText(res, verified.status, verified.body, {
      'Content-Type': verified.contentType,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  }
  if (verified.kind === 'malformed') {
    log().warn({ accountId: verified.account.id, channel: verified.account.channel }, 'webhook.malformed');
    return sendJson(res, 400, NO_JSON);
  }
  const { accounts } = verified;
  if (!account && accounts.length === 0) return refuseWebhook(res, address, 404, UNKNOWN);
  for (const each of accounts) {
    await noteWebhookCalled(each);
    await storeUpdate(each, {
      externalId: adapter.webhook.updateId(rawBody, request.headers),
      album: adapter.webhook.albumOf?.(rawBody),
      body: rawBody,
      headers: pick(request.headers, adapter.webhook.storedHeaders),
    });
  }
  sendJson(res, 200, {});
}

/** The account of a webhook address. Undefined: it was disconnected, and the address serves other accounts of its app. */
type Called = { channel: Channel; adapter: AccountChannel; account: ConnectedAccount | undefined };

/** Maximum number of accounts that a request can name. */
const NAMED_MAX = 100;

type Verified =
  | Exclude<WebhookVerdict, { kind: 'accepted' }>
  | { kind: 'malformed'; account: ConnectedAccount }
  | { kind: 'accepted'; accounts: ConnectedAccount[] };

/**
 * Verifies a request with the secret of the called account, and returns the accounts that its update is for: the named ones
 * whose secret the signature matches, so that no one can write into another account. Other updates are answered
 * and ignored (docs/rulings.md 3.26).
 */
async function verifyRequest(
  request: WebhookRequest,
  { account, adapter, channel }: Called,
): Promise<Verified> {
  const { names, verify } = adapter.webhook;
  const verdict = account ? verify(request, account) : { kind: 'accepted' as const };
  if (verdict.kind !== 'accepted') return verdict;
  if (parseJson(request.rawBody.toString('utf8')) === undefined) {
    return account ? { kind: 'malformed', account } : { kind: 'accepted', accounts: [] };
  }
  if (!names) return { kind: 'accepted', accounts: account ? [account] : [] };
  const named = names(request.rawBody).filter(isStorableText).slice(0, NAMED_MAX);
  const others = named.filter((externalId) => externalId !== account?.externalId);
  const found = await findAccountsOfProvider(channel, others);
  const known = found.filter((each) => verify(request, each).kind === 'accepted');
  const accounts = account && named.includes(account.externalId) ? [account, ...known] : known;
  return { kind: 'accepted', accounts };
}

async function findCalled(path: string): Promise<Called | undefined> {
  const [name, id = '', ...more] = path.slice(WEBHOOKS_PATH.length).split('/');
  const channel = CHANNEL_LIST.find((each) => each === name);
  const adapter = channel && CHANNELS[channel].accounts;
  if (!adapter || more.length > 0) return undefined;
  const account = await findAccount(id, { channel });
  const isServed = account || (adapter.webhook.names && (await wasConnected(id, channel)));
  return isServed ? { channel, adapter, account } : undefined;
}

function headersOf({ headers }: IncomingMessage): WebhookRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

function pick(headers: WebhookRequest['headers'], names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}
