import { addMessage } from './add-message.ts';
import { CHANNEL_KINDS } from './channel-kind.ts';
import { numericId } from './make-ids.ts';
import { chatWith, findPerson, makePerson } from './people.ts';
import { changed, type Providers } from './providers.ts';
import { mentionOf } from './slack/slack-kind.ts';
import type { Account, Chat, Message } from './state.ts';
import { storeFile } from './store-file.ts';

export type Upload = { name: string; type: string; content: Buffer };

/** A person's message. `chatKey` continues a chat, such as a Slack thread; `mention` starts a thread in a channel. */
export type Written = { text: string; files: Upload[]; mention?: boolean; chatKey?: string | undefined };

/** Returns the person with this name or id, or a new person with this name. */
export function findOrMakePerson(account: Account, name: string, hidesNumber = false) {
  const known = findPerson(account, (person) => person.name === name || person.id === name);
  const username = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.');
  return known ?? makePerson(account, name, username, hidesNumber);
}

/** Sends a person's message to the service. Returns the messages, as some providers split one into several. */
export function personWrites(
  providers: Providers,
  account: Account,
  person: Chat['person'],
  written: Written,
): { chat: Chat; messages: Message[] } {
  const kind = CHANNEL_KINDS[account.channel];
  const files = written.files.map((file) => storeFile(providers, account, file));
  const firstId = kind.newMessageId();
  const chat = chatToWriteIn(account, person, written, firstId);
  const text = written.mention ? `${mentionOf(account)} ${written.text}` : written.text;
  const parts: { text: string; files: typeof files }[] = [];
  if (text && (files.length === 0 || !kind.textWithFiles)) parts.push({ text, files: [] });
  for (let at = 0; at < files.length; at += kind.filesPerMessage) {
    const caption = at === 0 && kind.textWithFiles ? text : '';
    parts.push({ text: caption, files: files.slice(at, at + kind.filesPerMessage) });
  }
  const album = files.length > kind.filesPerMessage ? numericId(17) : null;
  // A message from the contact opens the window again.
  account.switches.window = 'open';
  const messages = parts.map((part, index) => {
    const id = index === 0 ? firstId : kind.newMessageId();
    const message = addMessage(providers, chat, {
      id,
      direction: 'in',
      album,
      entities: kind.findEntities?.(part.text) ?? [],
      ...part,
    });
    for (const update of kind.wrote({ providers, account, chat, message }))
      providers.outbox.put(account, update);
    return message;
  });
  return { chat, messages };
}

function chatToWriteIn(account: Account, person: Chat['person'], written: Written, id: string): Chat {
  const known = account.chats.get(written.chatKey ?? '');
  if (known) return known;
  if (!written.mention || !account.slack) return chatWith(account, person);
  return chatWith(account, person, { channel: account.slack.helpChannel, threadTs: id });
}

/** Finds a message and its chat. */
export function findMessage(account: Account, id: string): { chat: Chat; message: Message } | undefined {
  for (const chat of account.chats.values()) {
    const message = chat.messages.find((each) => each.id === id);
    if (message) return { chat, message };
  }
  return undefined;
}

export type Act = { kind: 'edit'; text: string } | { kind: 'remove' } | { kind: 'react'; emoji: string };

/** Edits, removes or reacts to a message as a person. Returns false when the provider sends no update for that. */
export function personActs(
  providers: Providers,
  account: Account,
  { chat, message }: { chat: Chat; message: Message },
  act: Act,
): boolean {
  const kind = CHANNEL_KINDS[account.channel];
  const occurrence = { providers, account, chat, message };
  if (act.kind === 'edit') {
    message.text = act.text;
    message.entities = kind.findEntities?.(act.text) ?? [];
    message.edits += 1;
  } else if (act.kind === 'remove') message.removed = true;
  else message.reaction = act.emoji || null;
  const update =
    act.kind === 'edit'
      ? kind.edited(occurrence)
      : act.kind === 'remove'
        ? kind.removed(occurrence)
        : kind.reacted(occurrence, act.emoji);
  if (update) providers.outbox.put(account, update);
  changed(providers);
  return Boolean(update);
}
