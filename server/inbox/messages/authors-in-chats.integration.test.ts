import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { findLastReceived } from '#server/inbox/channels/meta/message-window.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { removeConversation, restoreConversation } from '#server/inbox/conversations/removal.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { getComposer } from '#server/screens/inbox/get-composer.ts';
import { readThread, threadPage } from '#server/screens/inbox/read-thread.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeChatVisitor } from '#test/clients/chat-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { memberWorkspace } from '#test/fixtures/member-workspace.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { connectMeta, receiveUpdate } from '#test/fixtures/meta.ts';
import { entry, mid, sendApi } from '#test/fixtures/page-test.ts';
import { connectTeam, dm, eventOf, webApi } from '#test/fixtures/slack-test.ts';
import { botApi, type TelegramTools, test as telegramTest, updateOf } from '#test/fixtures/telegram-test.ts';
import { change, cloudApi, messageOf, webhook } from '#test/fixtures/whatsapp-test.ts';
import type { ProviderCall, ProviderServer } from '#test/servers/provider-server.ts';

// Two people write on one account of a channel. Emails of several people: other-authors.integration.test.ts.

const NAMES = ['Xavier', 'Yara'] as const;
type Name = (typeof NAMES)[number];

/** Connects a channel. `write` sends a message as a person, and `reached` lists who got a text from the provider. */
type Chat = {
  workspaceId: string;
  by: { id: string; name: string; email: string };
  write: (name: Name, text: string) => Promise<unknown>;
  reached: (text: string) => Promise<Name[]>;
};
type Tools = { url: string; provider: ProviderServer; telegram: TelegramTools };

const test = telegramTest
  .extend('respondUsually', { scope: 'file' }, () => respond)
  .extend('tools', ({ service, provider, telegram }): Tools => ({ url: service.url, provider, telegram }));

const CHATS = {
  webchat,
  whatsapp,
  instagram: (tools: Tools) => page(tools, { channel: 'instagram', object: 'instagram', field: 'accountId' }),
  messenger: (tools: Tools) => page(tools, { channel: 'messenger', object: 'page', field: 'pageId' }),
  telegram,
  slack,
};
type Channel = keyof typeof CHATS;

/** Each way into the thread, and who then writes there. */
const WAYS = {
  merged: { merges: true, removes: false, writer: 'Xavier' },
  restored: { merges: false, removes: true, writer: 'Yara' },
  'merged and restored': { merges: true, removes: true, writer: 'Xavier' },
} as const;

test.for(
  (Object.keys(CHATS) as Channel[]).flatMap((channel) =>
    (Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => [way, channel] as const),
  ),
)(
  'in a conversation that was %s on %s, the author is shown, and the reply reaches the contact, as the composer says',
  async ([way, channel], { tools }) => {
    const { merges, removes, writer } = WAYS[way];
    const chat = await CHATS[channel](tools);
    const { workspaceId, by } = chat;
    const { accessToken } = await makeConnection({ workspaceId, teammate: by });
    const actor = { kind: 'teammate', teammate: by } as const;
    const ids: string[] = [];
    for (const name of NAMES) {
      await chat.write(name, `${name} asks`);
      ids.push(await conversationOf(workspaceId));
    }
    const [xaviers = '', id = ''] = ids;
    expect(xaviers).not.toBe(id);
    if (merges)
      await inTransaction((tx) => mergeConversations(tx, { workspaceId, id: xaviers, intoId: id, actor }));
    if (removes) {
      await removeConversation({ workspaceId, id, to: 'deleted', actor });
      await restoreConversation({ workspaceId, id, from: 'deleted', actor });
    }
    await chat.write(writer, `${writer} again`);
    expect(await conversationOf(workspaceId)).toBe(id);

    const isOther = writer !== 'Yara';
    const rows = await readThread(db(), { workspaceId, conversationId: id });
    const { items } = await threadPage(db(), rows, { workspaceId, contactName: 'Yara' });
    const shown = items.flatMap((item) =>
      item.kind === 'message' ? [[item.content, item.authorName ?? 'the contact']] : [],
    );
    expect(shown.at(-1)).toEqual([`${writer} again`, isOther ? 'Xavier' : 'the contact']);
    const view = await getComposer(db(), {
      workspace: memberWorkspace(workspaceId),
      user: by,
      conversationId: id,
    });
    expect(view).toMatchObject({
      contactName: 'Yara',
      otherAuthor: isOther ? { name: 'Xavier', address: null } : null,
    });

    const replyId = randomUUID();
    const reply = { workspaceId, conversationId: id, id: replyId, author: by, content: 'Fine.' };
    await expect(scheduleReply({ ...reply, answers: 'xavier@acme.test' })).rejects.toThrow(/did not write/);
    await scheduleReply(reply);
    await sendPendingReply(replyId);
    await sendQueuedMessage(replyId);
    expect(await chat.reached('Fine.')).toEqual(['Yara']);

    const api = apiClient(tools.url, accessToken);
    const { body } = await api('GET', `/conversations/search?id=${id}`);
    expect(body).toMatchObject([{ id, contact: { first_name: 'Yara' } }]);
    const events = await db().event.findMany({
      where: { workspaceId, key: 'message.received' },
      orderBy: { createdAt: 'asc' },
    });
    expect(JSON.parse(events.at(-1)?.body ?? '')).toMatchObject({
      conversation: { id, contact: { first_name: 'Yara' } },
      message: { content: `${writer} again` },
    });
  },
);

test.for(Object.keys(CHATS) as Channel[])(
  'the AI agent tells the contact of a conversation on %s nothing about one of somebody else that was merged into it',
  async (channel, { tools }) => {
    const chat = await CHATS[channel](tools);
    const { workspaceId, by: teammate } = chat;
    await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
    await chat.write('Xavier', 'My order?');
    const id = await conversationOf(workspaceId);
    await chat.write('Yara', 'And mine?');
    await mergeAs({ workspaceId, teammate }, id, await conversationOf(workspaceId));
    for (const name of NAMES) {
      await chat.write(name, `${name} asks again`);
      const { id: messageId } = await newestIn(workspaceId);
      expect(await answerContact(talkative, { messageId })).toBe('silent');
    }
    expect(await chat.reached('You asked:')).toEqual([]);
  },
);

test.for(['whatsapp', 'messenger', 'instagram'] as const)(
  'only what the contact wrote on %s opens the messaging window, not what others or they wrote elsewhere',
  async (channel, { tools }) => {
    const chat = await CHATS[channel](tools);
    const { workspaceId, by: teammate } = chat;
    await chat.write('Xavier', 'My order?');
    const xaviers = await conversationOf(workspaceId);
    await chat.write('Yara', 'And mine?');
    const { id: messageId, conversationId: id } = await newestIn(workspaceId);
    const wroteAt = new Date(Date.now() - 25 * 3_600_000);
    await db().message.update({ where: { id: messageId }, data: { createdAt: wroteAt } });
    await mergeAs({ workspaceId, teammate }, xaviers, id);
    await chat.write('Xavier', 'Hello?');
    expect(await conversationOf(workspaceId)).toBe(id);
    expect(await findLastReceived(db(), id)).toEqual(wroteAt);
    const email = { direction: 'inbound', authorKind: 'contact', externalId: 'mail:1' } as const;
    await db().message.create({ data: { workspaceId, conversationId: id, content: 'Hello?', ...email } });
    expect(await findLastReceived(db(), id)).toEqual(wroteAt);
  },
);

/** Answers with what it was told. */
const talkative: AiAgent = {
  answer: async ({ messages }) => ({
    kind: 'answer',
    content: `You asked: ${messages.map(({ content }) => content).join(' ')}`,
    nextStatus: 'pending',
  }),
};

const newestIn = (workspaceId: string) =>
  db().message.findFirstOrThrow({
    where: { workspaceId, direction: 'inbound' },
    orderBy: { createdAt: 'desc' },
  });

/** Returns the conversation of the newest message that was received. */
const conversationOf = async (workspaceId: string) => (await newestIn(workspaceId)).conversationId;

/** The people's ids at the providers. Names are looked up by them. */
const PEOPLE: Record<Name, string> = { Xavier: '7100000001', Yara: '7100000002' };

const nameOf = (id: unknown) => NAMES.find((name) => String(id).includes(PEOPLE[name]));

/** Lists the recipients of a text that was sent through the provider. `to` reads the recipient of a call. */
function reachedBy({ provider }: Tools, to: (body: ProviderCall['body']) => unknown): Chat['reached'] {
  return async (text) =>
    provider.calls
      .filter(({ raw }) => raw.toString().includes(text))
      .flatMap(({ body }) => nameOf(JSON.stringify(to(body))) ?? []);
}

async function webchat({ url }: Tools): Promise<Chat> {
  const { id: workspaceId } = await makeWorkspace();
  const by = await makeUser('Agnes Agent', { workspaceId, role: 'owner' });
  const visitors = {
    Xavier: await makeChatVisitor(url, workspaceId),
    Yara: await makeChatVisitor(url, workspaceId),
  };
  return {
    workspaceId,
    by,
    write: (name, content) => visitors[name].write({ content, name }),
    reached: async (text) => {
      const seen = await Promise.all(NAMES.map(async (name) => ({ name, view: await visitors[name].see() })));
      return seen.flatMap(({ name, view }) => (JSON.stringify(view).includes(text) ? [name] : []));
    },
  };
}

async function whatsapp(tools: Tools): Promise<Chat> {
  const account = await connectMeta('whatsapp', 'phoneNumberId');
  return {
    ...account,
    write: (name, body) => {
      const from = PEOPLE[name];
      const contacts = [{ profile: { name }, wa_id: from }];
      const message = messageOf({ from, text: { body } });
      return receiveUpdate(tools.url, account, webhook(change(account, { contacts, messages: [message] })));
    },
    reached: reachedBy(tools, ({ to }) => to),
  };
}

async function page(
  tools: Tools,
  { channel, object, field }: { channel: 'messenger' | 'instagram'; object: string; field: string },
): Promise<Chat> {
  const account = await connectMeta(channel, field);
  return {
    ...account,
    write: (name, text) => {
      const written = entry(account, PEOPLE[name], { message: { mid: mid(), text } });
      return receiveUpdate(tools.url, account, { object, entry: [written] });
    },
    reached: reachedBy(tools, ({ recipient }) => recipient),
  };
}

async function telegram(tools: Tools): Promise<Chat> {
  const bot = await tools.telegram.connectBot();
  return {
    ...bot,
    write: (name, text) => {
      const id = Number(PEOPLE[name]);
      const from = { id, is_bot: false, first_name: name };
      return tools.telegram.receive(bot, updateOf({ from, chat: { id, type: 'private' }, text }));
    },
    reached: reachedBy(tools, ({ chat_id }) => chat_id),
  };
}

async function slack(tools: Tools): Promise<Chat> {
  const team = await connectTeam();
  return {
    ...team,
    write: async (name, text) => {
      const input = { user: `U${PEOPLE[name]}`, channel: `D${PEOPLE[name]}`, text };
      const body = JSON.stringify(eventOf(team, dm(input)));
      const timestamp = Math.floor(Date.now() / 1000);
      const hmac = createHmac('sha256', team.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': `v0=${hmac}`,
        'x-forwarded-for': newAddress(),
      };
      const response = await fetch(`${tools.url}/webhooks/slack/${team.id}`, {
        method: 'POST',
        headers,
        body,
      });
      expect(response.status).toBe(200);
      await processUpdates(team.id);
    },
    reached: reachedBy(tools, ({ channel }) => channel),
  };
}

/** Returns the successful responses of all providers. */
function respond(call: ProviderCall): object | undefined {
  const { path, body } = call;
  const name = nameOf(path) ?? nameOf(body.user);
  if (path === '/api/users.info')
    return { ok: true, user: { id: body.user, name, profile: { real_name: name } } };
  if (/fields=(first_name|name%2Cusername)/.test(path)) return { first_name: name, name, id: '1' };
  if (path.startsWith('/bot')) return botApi(call);
  if (path.startsWith('/api/')) return webApi(call);
  return /display_phone_number|\d\/messages$/.test(path) ? cloudApi(call) : sendApi(call);
}
