import { type ProviderRequest, textOf } from '../../http/bodies.ts';
import { type HttpResponse, json } from '../../http/responses.ts';
import { findMessage } from '../person-acts.ts';
import { changed, type Providers } from '../providers.ts';
import type { Account, Chat, Message } from '../state.ts';
import { slackError, slackMessage } from './slack-kind.ts';
import { fromSlack } from './slack-text.ts';

export type SlackCall = { providers: Providers; request: ProviderRequest; account: Account };

/** `chat.update`: only the app's own messages. */
export function updateMessage(call: SlackCall): HttpResponse {
  const { providers, request, account } = call;
  const found = findIn(call, textOf(request.fields.ts));
  if (!found) return slackError('message_not_found');
  if (found.message.direction === 'in') return slackError('cant_update_message');
  const text = textOf(request.fields.text);
  if (text === '' && !request.fields.blocks) return slackError('no_text');
  found.message.text = fromSlack(text);
  found.message.edits += 1;
  changed(providers);
  const message = slackMessage({ providers, account, ...found });
  return json({
    ok: true,
    channel: textOf(request.fields.channel),
    ts: message.ts,
    text: message.text,
    message,
  });
}

/** `chat.delete`: only the app's own messages. */
export function deleteMessage(call: SlackCall): HttpResponse {
  const { providers, request } = call;
  const found = findIn(call, textOf(request.fields.ts));
  if (!found || found.message.removed) return slackError('message_not_found');
  if (found.message.direction === 'in') return slackError('cant_delete_message');
  found.message.removed = true;
  changed(providers);
  return json({ ok: true, channel: textOf(request.fields.channel), ts: found.message.id });
}

/** `reactions.add` and `reactions.remove` of the app. */
export function react(call: SlackCall, isAdded: boolean): HttpResponse {
  const { request, providers } = call;
  const name = textOf(request.fields.name);
  if (name === '') return slackError('invalid_name');
  const found = findIn(call, textOf(request.fields.timestamp));
  if (!found) return slackError('message_not_found');
  const is = found.message.reaction === `:${name}:`;
  if (isAdded === is) return slackError(isAdded ? 'already_reacted' : 'no_reaction');
  found.message.reaction = isAdded ? `:${name}:` : null;
  changed(providers);
  return json({ ok: true });
}

/** `conversations.replies`: the messages of a thread, with its first one. */
export function listReplies({ providers, request, account }: SlackCall): HttpResponse {
  const { fields } = request;
  const [channel, ts] = [textOf(fields.channel), textOf(fields.ts)];
  const chats = [...account.chats.values()].filter(({ place }) => place?.channel === channel);
  if (chats.length === 0 && channel !== account.slack?.helpChannel) return slackError('channel_not_found');
  const all = chats.flatMap((chat) =>
    chat.messages
      .filter(({ id, removed }) => !removed && (chat.place?.threadTs === ts || id === ts))
      .map((message) => slackMessage({ providers, account, chat, message })),
  );
  if (all.length === 0) return slackError('thread_not_found');
  const limit = Number(textOf(fields.limit) || 1_000);
  return json({ ok: true, messages: all.slice(0, limit), has_more: all.length > limit });
}

/** `conversations.history`: the messages of a channel outside of threads, newest first. */
export function listHistory({ providers, request, account }: SlackCall): HttpResponse {
  const channel = textOf(request.fields.channel);
  const chats = [...account.chats.values()].filter(({ place }) => place?.channel === channel);
  if (chats.length === 0 && channel !== account.slack?.helpChannel) return slackError('channel_not_found');
  const all = chats.flatMap((chat) =>
    chat.messages
      .filter(({ id, removed }) => !removed && (chat.place?.threadTs ?? id) === id)
      .map((message) => slackMessage({ providers, account, chat, message })),
  );
  const limit = Number(textOf(request.fields.limit) || 100);
  const messages = all.toSorted((a, b) => (a.ts < b.ts ? 1 : -1));
  return json({ ok: true, messages: messages.slice(0, limit), has_more: messages.length > limit });
}

function findIn({ request, account }: SlackCall, ts: string): { chat: Chat; message: Message } | undefined {
  const found = findMessage(account, ts);
  return found?.chat.place?.channel === textOf(request.fields.channel) ? found : undefined;
}
