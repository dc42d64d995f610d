import { readToken, writeToken } from '#app/components/web-chat/chat-storage.ts';
import type { ChatView } from '#server/screens/web-chat/views.ts';

export type Draft = { id: string; content: string; name: string; email: string; files: File[] };

/** A refusal or failure: a message, and messages by field. */
export class ChatProblem extends Error {
  readonly fields: Record<string, string>;
  /** The server does not know the visitor's token. */
  readonly isUnknown: boolean;

  constructor(message: string, { fields = {}, isUnknown = false } = {}) {
    super(message);
    this.name = 'ChatProblem';
    this.fields = fields;
    this.isUnknown = isUnknown;
  }
}

const OFFLINE = 'You seem to be offline. Check your connection and try again.';
const FAULT = 'Something went wrong on our side. Try again in a minute.';

async function request(workspaceId: string, path: string, init: RequestInit = {}): Promise<Response> {
  const token = readToken(workspaceId);
  const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
  const options = { cache: 'no-store', credentials: 'omit', ...init, headers } as const;
  const response = await fetch(`/api/chat/${path}`, options).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ChatProblem(OFFLINE);
  });
  if (response.ok) return response;
  throw await problemOf(response);
}

async function problemOf(response: Response): Promise<ChatProblem> {
  const body: unknown = await response.json().catch(() => null);
  const json = typeof body === 'object' && body !== null ? body : {};
  // A 503 message tells when to retry. Other 5xx messages are not meant for visitors.
  const isPublic =
    (response.status < 500 || response.status === 503) &&
    'message' in json &&
    typeof json.message === 'string';
  return new ChatProblem(isPublic ? String(json.message) : FAULT, {
    fields: 'errors' in json ? firstSentences(json.errors) : {},
    isUnknown: response.status === 401,
  });
}

function firstSentences(errors: unknown): Record<string, string> {
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, [sentence]]) =>
      typeof sentence === 'string' ? [[field, sentence]] : [],
    ),
  );
}

/**
 * Registers a visitor before the first message, so that mere readers leave no record. Keeps a visitor that another tab or a
 * later message has registered in the meantime: otherwise their messages would leave this browser's chat.
 * @param refused the token that the server does not know
 */
async function registerVisitor(workspaceId: string, refused: string | null = null): Promise<void> {
  const isRegistered = () => ![null, refused].includes(readToken(workspaceId));
  if (isRegistered()) return;
  const response = await request(workspaceId, 'visitors', {
    method: 'POST',
    body: JSON.stringify({ workspaceId }),
  });
  const { token }: { token: string } = await response.json();
  if (!isRegistered()) writeToken(workspaceId, token);
}

/** Returns the visitor's conversation, or null before the first message from this browser. */
export async function fetchChat(workspaceId: string): Promise<ChatView | null> {
  const token = readToken(workspaceId);
  if (token === null) return null;
  try {
    return await (await request(workspaceId, 'conversation')).json();
  } catch (error) {
    if (!(error instanceof ChatProblem && error.isUnknown)) throw error;
    // A message may have registered the visitor again in the meantime.
    if (readToken(workspaceId) === token) writeToken(workspaceId, null);
    return null;
  }
}

/** Maximum time in ms that a message waits for the previous one, whose request may hang. */
const TURN_MS = 30_000;

/** Resolves when the previous message was sent or has failed, or after `TURN_MS`. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Sends a message after the previous one: messages keep their order, and only the first one registers a visitor. Retries
 * with the same id are idempotent.
 * @throws ChatProblem
 */
export function sendMessage(workspaceId: string, draft: Draft): Promise<ChatView> {
  const sent = previous.then(() => sendNow(workspaceId, draft));
  const turnEnd = new Promise((resolve) => setTimeout(resolve, TURN_MS));
  previous = Promise.race([sent.catch(() => undefined), turnEnd]);
  return sent;
}

async function sendNow(workspaceId: string, draft: Draft): Promise<ChatView> {
  await registerVisitor(workspaceId);
  const token = readToken(workspaceId);
  const form = new FormData();
  for (const name of ['id', 'content', 'name', 'email'] as const) form.append(name, draft[name]);
  for (const file of draft.files) form.append('files', file);
  const send = async (): Promise<ChatView> =>
    (await request(workspaceId, 'messages', { method: 'POST', body: form })).json();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ChatProblem && error.isUnknown)) throw error;
    // The server removed the visitor in the meantime: register again.
    await registerVisitor(workspaceId, token);
    return await send();
  }
}

/**
 * Rates the conversation.
 * @throws ChatProblem
 */
export async function sendRating(
  workspaceId: string,
  rating: { score: number; comment: string },
): Promise<ChatView> {
  const response = await request(workspaceId, 'rating', { method: 'POST', body: JSON.stringify(rating) });
  return response.json();
}

/**
 * Fetches an attachment, which requires the visitor's token.
 * @throws ChatProblem
 */
export async function fetchFile(workspaceId: string, id: string): Promise<Blob> {
  return (await request(workspaceId, `attachments/${id}`)).blob();
}

/** Opens the event stream of the conversation. */
export async function openChanges(
  workspaceId: string,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<string> | undefined> {
  const { body } = await request(workspaceId, 'live', { signal });
  return body?.pipeThrough(new TextDecoderStream()).getReader();
}
