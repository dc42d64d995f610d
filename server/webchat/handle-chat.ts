import type { IncomingMessage, ServerResponse } from 'node:http';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import {
  DOWNLOAD_RETRY_SECONDS,
  inDownloadSlot,
  TOO_MANY_DOWNLOADS,
} from '#server/attachments/download-slots.ts';
import { NO_SUCH_FILE } from '#server/attachments/handle-attachment.ts';
import { SENT_ATTACHMENT, sendAttachment } from '#server/attachments/send-attachment.ts';
import { db } from '#server/db.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { LiveStreams } from '#server/live/live-streams.ts';
import { rateConversation } from '#server/ratings/rate-conversation.ts';
import { readBearerToken } from '#server/rest/read-bearer-token.ts';
import { readJsonBody } from '#server/rest/read-json-body.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/teammates/request-address.ts';
import {
  answer,
  answerRefusal,
  answerUnknown,
  isFromElsewhere,
  isWithin,
} from '#server/webchat/chat-answers.ts';
import { findVisitor, readVisitor, type Visitor } from '#server/webchat/find-visitor.ts';
import { makeVisitor } from '#server/webchat/make-visitor.ts';
import { readMessage } from '#server/webchat/read-message.ts';
import { endOf, showChat } from '#server/webchat/show-chat.ts';
import { visibleMessages } from '#server/webchat/visible-messages.ts';
import { writeMessage } from '#server/webchat/write-message.ts';

/** What the page of the web chat asks for: `{base_url}/api/chat/…`. */
export const CHAT_API_PATH = '/api/chat/';

const NO_CHAT = 'There is no chat at this address.';

type Call = { req: IncomingMessage; res: ServerResponse; path: string; address: string; live: LiveStreams };
type VisitorCall = Call & { visitor: Visitor };

type Answering = (call: VisitorCall) => Promise<void>;

const POSTS = new Map<string, Answering>([
  ['messages', takeMessage],
  ['rating', takeRating],
]);

const READS = new Map<string, Answering>([
  ['conversation', async ({ res, visitor }) => answer(res, 200, await showChat(visitor))],
  ['live', listen],
]);

const FILES = 'attachments/';

/**
 * Answers the web chat. Who writes is known by the token in `Authorization: Bearer`, which the browser keeps and no
 * address ever holds; what a visitor may do concerns their own conversation alone, so no id of one is ever taken.
 */
export async function handleChat(
  live: LiveStreams,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const name = path.slice(CHAT_API_PATH.length);
  const call = { req, res, live, path, address: String(req.headers[CLIENT_ADDRESS_HEADER] ?? '') };
  const posted = POSTS.get(name);
  const read = name.startsWith(FILES) ? sendFile : READS.get(name);
  const isPost = name === 'visitors' || posted !== undefined;
  if (!isPost && !read) return answer(res, 404, { message: 'There is nothing at this address.' });
  const method = isPost ? 'POST' : 'GET';
  if (req.method !== method) {
    return answer(res, 405, { message: `Only ${method} is possible here.` }, { Allow: method });
  }
  if (isFromElsewhere(req)) return answer(res, 403, { message: 'Only the chat’s own page can do this.' });
  try {
    if (posted) await asVisitor(call, posted, { address: 'chat_address', visitor: 'chat_message' });
    else if (read) await asVisitor(call, read, { address: 'chat_read_address', visitor: 'chat_read' });
    else await welcome(call);
  } catch (error) {
    answerRefusal(res, error);
  }
}

/** What is sent or asked for is counted before anything is looked up or read. */
async function asVisitor(
  call: Call,
  work: Answering,
  limits: { address: LimitName; visitor: LimitName },
): Promise<void> {
  const { req, res, address } = call;
  const token = readBearerToken(req);
  if (token === undefined) return answerUnknown(res);
  if (!(await isWithin(res, limits.address, address))) return;
  const visitor = await findVisitor(token);
  if (!visitor) return answerUnknown(res);
  if (!(await isWithin(res, limits.visitor, keyOf(visitor)))) return;
  await work({ ...call, visitor });
}

/** The digest of a token as text. */
function keyOf({ tokenHash }: Visitor): string {
  return Buffer.from(tokenHash).toString('base64url');
}

const newcomer = z.object({ workspaceId: z.string() });

async function welcome({ req, res, address }: Call): Promise<void> {
  if (!(await isWithin(res, 'chat_visitor', address))) return;
  const body = await readJsonBody(req);
  const read = newcomer.safeParse(body.kind === 'object' ? body.value : {});
  const token = read.success ? await makeVisitor(read.data.workspaceId) : null;
  if (token === null) return answer(res, 404, { message: NO_CHAT });
  answer(res, 201, { token });
}

async function takeMessage({ req, res, address, visitor }: VisitorCall): Promise<void> {
  const { workspaceId } = visitor;
  const read = await readMessage(req, { workspaceId, address, visitorKey: keyOf(visitor) });
  if (read.kind === 'refused') {
    const { status, message, errors } = read;
    return answer(res, status, errors ? { message, errors } : { message });
  }
  await writeMessage(visitor, read.message);
  // Where they write may be somewhere else now.
  const now = (await readVisitor(visitor.tokenHash)) ?? visitor;
  answer(res, 201, await showChat(now));
}

const survey = z.object({ score: z.number().catch(0), comment: z.string().nullable().default(null) });

async function takeRating({ req, res, visitor }: VisitorCall): Promise<void> {
  const body = await readJsonBody(req);
  const read = survey.safeParse(body.kind === 'object' ? body.value : {});
  const { workspaceId, conversations } = visitor;
  const [own, ...others] = conversations;
  // What was merged into a conversation that they do not read is rated no more: the team may be done with somebody else.
  const isRatable = own !== undefined && (others.length === 0 || endOf(visitor) !== null);
  if (!read.success || !isRatable) return answer(res, 422, { message: 'There is nothing to rate yet.' });
  await rateConversation({ workspaceId, conversationId: own.id, ...read.data });
  answer(res, 201, await showChat(visitor));
}

async function listen({ res, live, address, visitor }: VisitorCall): Promise<void> {
  const { tokenHash } = visitor;
  const isOpen = await live.joinVisitor(res, {
    visitorKey: keyOf(visitor),
    address,
    findConversations: async () => (await readVisitor(tokenHash))?.conversations.map(({ id }) => id),
  });
  if (!isOpen) answer(res, 429, { message: 'Too many chats are open here.' }, { 'Retry-After': '60' });
}

/** Sends a file of a message that the visitor may see; of every other one they are told that there is none. */
async function sendFile({ res, path, visitor }: VisitorCall): Promise<void> {
  const id = path.slice(CHAT_API_PATH.length + FILES.length);
  const { workspaceId } = visitor;
  const found = isUuid(id)
    ? await db().attachment.findFirst({
        where: { id, workspaceId, message: visibleMessages(visitor) },
        select: SENT_ATTACHMENT,
      })
    : null;
  if (!found) return answer(res, 404, { message: NO_SUCH_FILE });
  if (await inDownloadSlot(keyOf(visitor), () => sendAttachment(res, found))) return;
  answer(res, 429, { message: TOO_MANY_DOWNLOADS }, { 'Retry-After': String(DOWNLOAD_RETRY_SECONDS) });
}
