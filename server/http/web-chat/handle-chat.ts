import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { settings } from '#server/core/env.ts';
import { refusalIn } from '#server/core/errors.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { consumeLimit, type LimitName } from '#server/core/limits/limits.ts';
import { NO_SUCH_FILE } from '#server/http/files/handle-attachment.ts';
import { type Downloads, refuseDownload } from '#server/http/files/send-attachment.ts';
import type { LiveStreams } from '#server/http/live/live-streams.ts';
import { readJsonBody } from '#server/http/request/read-body.ts';
import { parseBearerToken } from '#server/http/request/request-parts.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { parseMessage } from '#server/http/web-chat/parse-chat-message.ts';
import { findAttachment } from '#server/inbox/files/find-attachment.ts';
import { rateConversation } from '#server/inbox/ratings/rate-conversation.ts';
import {
  createVisitor,
  findVisitor,
  readVisitor,
  type Visitor,
} from '#server/inbox/web-chat/find-visitor.ts';
import { writeMessage } from '#server/inbox/web-chat/write-message.ts';
import { endOf, getChat, visibleMessages } from '#server/screens/web-chat/get-chat.ts';

/** Path prefix of the web chat's API. */
export const CHAT_API_PATH = '/api/chat/';

const NO_CHAT = 'There is no chat at this address.';

/** Services for the chat's responses, for the lifetime of the server. */
type ChatServices = { live: LiveStreams; downloads: Downloads };

type Call = ChatServices & { req: IncomingMessage; res: ServerResponse; path: string; address: string };
type VisitorCall = Call & { visitor: Visitor };

type ChatHandler = (call: VisitorCall) => Promise<void>;

const NO_STORE = { 'Cache-Control': 'no-store' };

const survey = z.object({ score: z.number().catch(0), comment: z.string().nullable().default(null) });

const POSTS = new Map<string, ChatHandler>([
  ['messages', receiveMessage],
  ['rating', receiveRating],
]);

const READS = new Map<string, ChatHandler>([
  ['conversation', async ({ res, visitor }) => respond(res, 200, await getChat(visitor))],
  ['live', listen],
]);

const FILES = 'attachments/';

/**
 * Handles the web chat's API. The token in `Authorization: Bearer` identifies the visitor; it is stored in
 * the browser and never in a URL. A visitor can only act in their own conversation, so no request contains a
 * conversation id.
 */
export async function handleChat(
  services: ChatServices,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const name = path.slice(CHAT_API_PATH.length);
  const call = { ...services, req, res, path, address: String(req.headers[CLIENT_ADDRESS_HEADER] ?? '') };
  const posted = POSTS.get(name);
  const read = name.startsWith(FILES) ? sendFile : READS.get(name);
  const isPost = name === 'visitors' || posted !== undefined;
  if (!isPost && !read) return respond(res, 404, { message: 'There is nothing at this address.' });
  const method = isPost ? 'POST' : 'GET';
  if (req.method !== method) {
    return respond(res, 405, { message: `This address supports ${method} only.` }, { Allow: method });
  }
  if (isCrossSite(req)) return respond(res, 403, { message: 'Only the chat’s own page can do this.' });
  try {
    if (posted) await asVisitor(call, posted, { address: 'chat_address', visitor: 'chat_message' });
    else if (read) await asVisitor(call, read, { address: 'chat_read_address', visitor: 'chat_read' });
    else await handleNewVisitor(call);
  } catch (error) {
    respondRefusal(res, error);
  }
}

/** Counts requests before any lookup or body. */
async function asVisitor(
  call: Call,
  work: ChatHandler,
  limits: { address: LimitName; visitor: LimitName },
): Promise<void> {
  const { req, res, address } = call;
  const token = parseBearerToken(req);
  if (token === undefined) return respondUnknown(res);
  if (!(await isWithin(res, limits.address, address))) return;
  const visitor = await findVisitor(token);
  if (!visitor) return respondUnknown(res);
  if (!(await isWithin(res, limits.visitor, keyOf(visitor)))) return;
  await work({ ...call, visitor });
}

function keyOf({ tokenHash }: Visitor): string {
  return Buffer.from(tokenHash).toString('base64url');
}

const newcomer = z.object({ workspaceId: z.string() });

async function handleNewVisitor({ req, res, address }: Call): Promise<void> {
  if (!(await isWithin(res, 'chat_visitor', address))) return;
  const body = await readJsonBody(req);
  const read = newcomer.safeParse(body.kind === 'object' ? body.value : {});
  const token = read.success ? await createVisitor(read.data.workspaceId) : null;
  if (token === null) return respond(res, 404, { message: NO_CHAT });
  respond(res, 201, { token });
}

async function receiveMessage({ req, res, address, visitor }: VisitorCall): Promise<void> {
  const { workspaceId } = visitor;
  const read = await parseMessage(req, { workspaceId, address, visitorKey: keyOf(visitor) });
  if (read.kind === 'refused') {
    const { status, message, errors } = read;
    return respond(res, status, { message, errors });
  }
  await writeMessage(visitor, read.message);
  // The message may have gone to another conversation.
  const now = (await readVisitor(visitor.tokenHash)) ?? visitor;
  respond(res, 201, await getChat(now));
}

async function receiveRating({ req, res, visitor }: VisitorCall): Promise<void> {
  const body = await readJsonBody(req);
  const read = survey.safeParse(body.kind === 'object' ? body.value : {});
  const { workspaceId, conversations } = visitor;
  const [own, ...others] = conversations;
  // After a merge into a conversation that they cannot read, rating ends: the team may have finished with
  // someone else.
  const isRatable = own !== undefined && (others.length === 0 || endOf(visitor) !== null);
  if (!read.success || !isRatable) return respond(res, 422, { message: 'Nothing to rate yet.' });
  await rateConversation({ workspaceId, conversationId: own.id, ...read.data });
  respond(res, 201, await getChat(visitor));
}

async function listen({ res, live, address, visitor }: VisitorCall): Promise<void> {
  const { tokenHash } = visitor;
  const isOpen = await live.joinVisitor(res, {
    visitorKey: keyOf(visitor),
    address,
    findConversations: async () => (await readVisitor(tokenHash))?.conversations.map(({ id }) => id),
  });
  if (!isOpen) respond(res, 429, { message: 'Too many chats are open here.' }, { 'Retry-After': '60' });
}

/** Sends a file of a message that the visitor may see; otherwise the file does not exist. */
async function sendFile({ res, path, visitor, downloads }: VisitorCall): Promise<void> {
  const found = await findAttachment(path.slice(CHAT_API_PATH.length + FILES.length), {
    workspaceId: visitor.workspaceId,
    message: visibleMessages(visitor),
  });
  if (!found) return respond(res, 404, { message: NO_SUCH_FILE });
  if (await downloads.send(keyOf(visitor), res, found)) return;
  res.setHeader('Cache-Control', 'no-store');
  refuseDownload(res);
}

function respond(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  sendJson(res, status, body, { ...NO_STORE, ...headers });
}

/** Sends a domain refusal and rethrows other errors. A deleted visitor needs a new token. */
function respondRefusal(res: ServerResponse, error: unknown): void {
  const refusal = refusalIn(error);
  if (!refusal) throw error;
  const { message, errors } = refusal;
  if (refusal.refusal === 'not_found') respondUnknown(res);
  else respond(res, 422, { message, errors });
}

/** The response to a token without a visitor. */
function respondUnknown(res: ServerResponse): void {
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  respond(res, 401, { message: 'This chat has ended. Reload the page to start a new one.' }, headers);
}

/**
 * Returns whether the browser reports that a page of another site sent the request. The chat's page is ours
 * in any frame.
 */
function isCrossSite(req: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== new URL(settings().BASE_URL).origin;
}

/** Consumes from a limit. Sends a 429 and returns false when the limit is used up. */
async function isWithin(res: ServerResponse, limit: LimitName, key: string): Promise<boolean> {
  const { allowed, retryAfterSeconds } = await consumeLimit(limit, key);
  if (allowed) return true;
  const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`;
  const message = `Too many requests at once. Wait ${wait} and try again.`;
  respond(res, 429, { message }, { 'Retry-After': String(retryAfterSeconds) });
  return false;
}
