import { createHash, createHmac } from 'node:crypto';
import { bearerOf, type ProviderRequest, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json, raw } from '../../http/responses.ts';
import type { Providers } from '../providers.ts';
import { type Account, keyOf } from '../state.ts';
import { storeFile } from '../store-file.ts';
import type { GraphCall } from './graph-call.ts';
import { graphError, invalidParameter, invalidProof, invalidToken, unknownObject } from './graph-error.ts';
import { sendMessengerMessage, uploadAttachment } from './send-messenger.ts';
import { sendWhatsappMessage } from './send-whatsapp.ts';
import { templatesOf } from './templates.ts';
import { describeToken, exchangeToken, refreshToken } from './tokens.ts';

const META = new Set(['whatsapp', 'instagram', 'messenger']);
const VERSION = /^v\d{1,2}\.\d$/;

/** Handles a Graph API call, with or without a version in the path. */
export async function handleGraph(providers: Providers, request: ProviderRequest): Promise<HttpResponse> {
  const parts = request.path.split('/').filter((part) => part !== '');
  if (VERSION.test(parts[0] ?? '')) parts.shift();
  const [id = '', edge = ''] = parts;
  if (id === 'oauth' && edge === 'access_token') return exchangeToken(providers, request);
  const token = bearerOf(request) || textOf(request.fields.access_token);
  const account = findByToken(providers, token);
  if (token === '') {
    return graphError({
      message: 'An access token is required to request this resource.',
      code: 104,
      status: 400,
    });
  }
  if (id === 'debug_token') return describeToken(providers, request);
  if (!account?.switches.tokenValid) return invalidToken();
  if (!provesAppSecret(request, account)) return invalidProof();
  if (!request.readable) {
    return graphError({ message: '(#100) The request body could not be parsed.', code: 100 });
  }
  const call: GraphCall = { providers, request, account };
  const post = request.method === 'POST';
  if (id === 'media' && edge) return getMedia(call, edge, true);
  if (id === 'refresh_access_token') return refreshToken(call);
  if (account.channel === 'whatsapp') {
    if (id === account.externalId) {
      if (post && edge === 'messages') return sendWhatsappMessage(call);
      if (post && edge === 'media') return uploadMedia(call);
      if (!post && !edge) return json(describePhoneNumber(account));
    }
    if (id === account.businessAccountId) {
      if (edge === 'message_templates' && !post) return json(templatesOf());
      if (edge === 'subscribed_apps') return json(post ? { success: true } : subscribedApps());
      if (edge === 'phone_numbers') return json({ data: [describePhoneNumber(account)] });
      if (!edge) return json({ id, name: account.name, timezone_id: '1' });
    }
    if (providers.state.files.has(id) && !edge) {
      return request.method === 'DELETE' ? deleteMedia(call, id) : getMedia(call, id, false);
    }
    return unknownObject(request.method, id);
  }
  const isOurs = id === 'me' || id === account.externalId || id === account.pageId;
  if (isOurs && post && edge === 'messages') return sendMessengerMessage(call);
  if (isOurs && post && edge === 'message_attachments') return uploadAttachment(call);
  if (isOurs && edge === 'subscribed_apps') return json(post ? { success: true } : subscribedApps());
  if (isOurs && !post && !edge) return json(describePage(account, id));
  const person = [...account.chats.values()].map((chat) => chat.person).find((each) => each.id === id);
  if (person && !edge && !post) return json(describePerson(account, person.id, person.name, person.username));
  return unknownObject(request.method, id);
}

function findByToken({ state }: Providers, token: string): Account | undefined {
  return [...state.accounts.values()].find((account) => META.has(account.channel) && account.token === token);
}

/** Checks the proof. A call without a proof passes, as the stand-in's apps do not require one. */
function provesAppSecret({ query }: ProviderRequest, { token, secret }: Account): boolean {
  const proof = query.get('appsecret_proof');
  return proof === null || proof === createHmac('sha256', secret).update(token).digest('hex');
}

function describePhoneNumber(account: Account) {
  return {
    verified_name: account.name,
    code_verification_status: 'VERIFIED',
    display_phone_number: account.phone ?? '',
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    id: account.externalId,
  };
}

/** Returns the page, or the Instagram account linked to it. */
function describePage(account: Account, asked: string) {
  const { externalId, name, username, pageId } = account;
  if (account.channel === 'messenger') return { name, id: externalId };
  const instagram = { id: externalId, user_id: externalId, username: username ?? '', name };
  if (asked !== pageId) return instagram;
  return { name, id: pageId, instagram_business_account: { id: externalId } };
}

function describePerson(account: Account, id: string, name: string, username: string) {
  const [first = '', ...rest] = name.split(' ');
  return account.channel === 'instagram'
    ? { name, username, id }
    : { first_name: first, last_name: rest.join(' '), name, id };
}

function subscribedApps() {
  return { data: [{ whatsapp_business_api_data: { id: '1', name: 'Shared Inbox' } }] };
}

/** `POST /{phone number id}/media`. @see https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media */
function uploadMedia({ providers, request, account }: GraphCall): HttpResponse {
  const file = request.files.find(({ field }) => field === 'file');
  if (request.fields.messaging_product !== 'whatsapp') {
    return invalidParameter('The parameter messaging_product is required.');
  }
  if (!file) return invalidParameter('The parameter file is required.');
  // Some clients send the kind of the message, as `document`.
  const given = textOf(request.fields.type);
  const type = given.includes('/') ? given : file.type;
  const { id } = storeFile(providers, account, { ...file, type });
  return json({ id });
}

/** `DELETE /{media id}`: only of the same account. */
function deleteMedia({ providers, account }: GraphCall, id: string): HttpResponse {
  if (providers.state.files.get(id)?.account !== keyOf(account)) return unknownObject('DELETE', id);
  providers.state.files.delete(id);
  return json({ success: true });
}

/** `GET /{media id}`: the file's URL, or its content with `content`; only for the same account. */
function getMedia({ providers, account }: GraphCall, id: string, content: boolean): HttpResponse {
  const file = providers.state.files.get(id);
  if (!file || file.account !== keyOf(account)) return unknownObject('GET', id);
  if (content) return raw(file.content, file.type);
  return json({
    messaging_product: 'whatsapp',
    url: `${providers.settings.url}/meta/media/${id}`,
    mime_type: file.type,
    sha256: createHash('sha256').update(file.content).digest('hex'),
    file_size: file.size,
    id,
  });
}
