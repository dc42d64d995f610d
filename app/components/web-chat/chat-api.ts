import { readToken, writeToken } from '#app/components/web-chat/chat-storage.ts';
import type { ChatView } from '#server/screens/web-chat/views.ts';

/** What a visitor sends. */
export type Draft = { id: string; content: string; name: string; email: string; files: File[] };

/** Why something was not done: a sentence, and sentences by field. */
export class ChatProblem extends Error {
  readonly fields: Record<string, string>;
  /** The service does not know our token. */
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

async function ask(workspaceId: string, path: string, init: RequestInit = {}): Promise<Response> {
  const token = readToken(workspaceId);
  const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
  const request = { cache: 'no-store', credentials: 'omit', ...init, headers } as const;
  const response = await fetch(`/api/chat/${path}`, request).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ChatProblem(OFFLINE);
  });
  if (response.ok) return response;
  throw await problemOf(response);
}

async function problemOf(response: Response): Promise<ChatProblem> {
  const body: unknown = await response.json().catch(() => null);
  const json = typeof body === 'object' && body !== null ? body : {};
  // 503 says when to try again; what other faults say is not for visitors.
  const isShown =
    (response.status < 500 || response.status === 503) &&
    'message' in json &&
    typeof json.message === 'string';
  return new ChatProblem(isShown ? String(json.message) : FAULT, {
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

/** Becomes a visitor, before the first message: who only looks leaves nothing behind. */
async function introduce(workspaceId: string): Promise<void> {
  const response = await ask(workspaceId, 'visitors', {
    method: 'POST',
    body: JSON.stringify({ workspaceId }),
  });
  const { token }: { token: string } = await response.json();
  writeToken(workspaceId, token);
}

/** The visitor's conversation; null before the first message from this browser. */
export async function fetchChat(workspaceId: string): Promise<ChatView | null> {
  if (readToken(workspaceId) === null) return null;
  try {
    return await (await ask(workspaceId, 'conversation')).json();
  } catch (error) {
    if (!(error instanceof ChatProblem && error.isUnknown)) throw error;
    writeToken(workspaceId, null);
    return null;
  }
}

/** Sends a message; sent again with the same id it is the same message. Throws a `ChatProblem`. */
export async function sendMessage(workspaceId: string, draft: Draft): Promise<ChatView> {
  if (readToken(workspaceId) === null) await introduce(workspaceId);
  const form = new FormData();
  for (const name of ['id', 'content', 'name', 'email'] as const) form.append(name, draft[name]);
  for (const file of draft.files) form.append('files', file);
  const send = async (): Promise<ChatView> =>
    (await ask(workspaceId, 'messages', { method: 'POST', body: form })).json();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ChatProblem && error.isUnknown)) throw error;
    // Removed since: begins a new one.
    await introduce(workspaceId);
    return await send();
  }
}

/** Rates the conversation. Throws a `ChatProblem`. */
export async function sendRating(
  workspaceId: string,
  rating: { score: number; comment: string },
): Promise<ChatView> {
  const response = await ask(workspaceId, 'rating', { method: 'POST', body: JSON.stringify(rating) });
  return response.json();
}

/** A file of a message, which only the token opens. Throws a `ChatProblem`. */
export async function fetchFile(workspaceId: string, id: string): Promise<Blob> {
  return (await ask(workspaceId, `attachments/${id}`)).blob();
}

/** Opens the stream of news; its text as it comes. */
export async function openChanges(
  workspaceId: string,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<string> | undefined> {
  const { body } = await ask(workspaceId, 'live', { signal });
  return body?.pipeThrough(new TextDecoderStream()).getReader();
}
