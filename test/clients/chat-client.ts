import { randomUUID } from 'node:crypto';
import type { ChatView } from '#server/screens/web-chat/views.ts';
import { newAddress } from '#test/clients/sign-in.ts';

export type ChatResponse = { status: number; headers: Headers; body: unknown };

type Written = {
  id?: string;
  content?: string;
  name?: string;
  email?: string;
  files?: File[];
  headers?: Record<string, string>;
};

/** Returns a client that calls the web chat as its page does, from a separate IP address unless one is given. */
export function chatClient(
  url: string,
  { token, address = newAddress() }: { token?: string; address?: string } = {},
) {
  const known = {
    'x-forwarded-for': address,
    'sec-fetch-site': 'same-origin',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };

  async function request(method: string, path: string, init: RequestInit = {}): Promise<ChatResponse> {
    const response = await fetch(`${url}/api/chat/${path}`, {
      method,
      ...init,
      headers: { ...known, ...Object.fromEntries(new Headers(init.headers)) },
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body: unknown = isJson ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, body };
  }

  async function write({ id = randomUUID(), content = 'Hello', files = [], headers, ...who }: Written = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ id, content, ...who })) form.append(name, value);
    for (const file of files) form.append('files', file);
    return request('POST', 'messages', { body: form, ...(headers ? { headers } : {}) });
  }

  return {
    request,
    write,
    post: (path: string, body: unknown) => request('POST', path, { body: JSON.stringify(body) }),
    see: async () => viewOf(await request('GET', 'conversation')),
  };
}

/** Returns the conversation in a response. Throws for an error status. */
export function viewOf({ status, body }: ChatResponse): ChatView {
  if (status >= 300) throw new Error(`The chat responded with ${status}: ${JSON.stringify(body)}`);
  return body as ChatView;
}

/** Creates a visitor of a workspace's chat. Returns a client with their token. */
export async function makeChatVisitor(url: string, workspaceId: string) {
  const { status, body } = await chatClient(url).post('visitors', { workspaceId });
  if (status !== 201) throw new Error(`No visitor was created: ${status}.`);
  const { token } = body as { token: string };
  return { token, ...chatClient(url, { token }) };
}

/** Returns the id of the conversation that a chat shows. Throws when there is none yet. */
export function conversationIdOf({ conversationId }: Pick<ChatView, 'conversationId'>): string {
  if (conversationId === null) throw new Error('There is no conversation yet.');
  return conversationId;
}

/** Creates a visitor who has sent a message. Returns their client and the conversation's id. */
export async function makeChatWriter(
  url: string,
  workspaceId: string,
  who: { name?: string; email?: string } = {},
) {
  const visitor = await makeChatVisitor(url, workspaceId);
  const id = conversationIdOf(viewOf(await visitor.write({ content: 'Where is my order?', ...who })));
  return { ...visitor, id };
}
