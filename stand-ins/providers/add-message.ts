import { changed, type Providers } from './providers.ts';
import type { Chat, Message } from './state.ts';

type Given = Pick<Message, 'id' | 'direction'> & Partial<Message>;

/** Adds a message to a chat and updates the open pages. */
export function addMessage(providers: Providers, chat: Chat, given: Given): Message {
  const message: Message = {
    text: '',
    files: [],
    album: null,
    kind: null,
    entities: [],
    at: new Date(),
    status: null,
    failure: null,
    edits: 0,
    removed: false,
    reaction: null,
    label: null,
    ...given,
  };
  chat.messages.push(message);
  changed(providers);
  return message;
}
