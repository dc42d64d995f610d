import type { HttpResponse } from '../http/responses.ts';
import type { Providers } from './providers.ts';
import type { Account, Chat, Message, Status } from './state.ts';

/** How a provider refuses a send: what its documentation says, and what it answers. */
export type Refusal = { label: string; response: HttpResponse };

/** The state of affairs that an update tells of. */
export type Occurrence = { providers: Providers; account: Account; chat: Chat; message: Message };

/** What a provider says of what happens in its chats, in its own shape. `null`: it says nothing of that. */
export type ChannelKind = {
  label: string;
  newMessageId(): string;
  /** How many files one message carries, and whether text goes with them. */
  filesPerMessage: number;
  textWithFiles: boolean;
  wrote(occurrence: Occurrence): unknown[];
  edited(occurrence: Occurrence): unknown;
  removed(occurrence: Occurrence): unknown;
  reacted(occurrence: Occurrence, emoji: string): unknown;
  receipt(occurrence: Occurrence, status: Status, failure?: LateFailure): unknown;
  refusals: Readonly<Record<string, Refusal>>;
  lateFailures: readonly LateFailure[];
};

/** A failure that a provider tells of after it accepted a message. */
export type LateFailure = { code: number; title: string; details: string };
