import type { HttpResponse } from '../http/responses.ts';
import type { Providers } from './providers.ts';
import type { Account, Chat, Message, Status } from './state.ts';

/** A provider's rejection of a send: its documented label and its response. */
export type Refusal = { label: string; response: HttpResponse };

/** The context of an update. */
export type Occurrence = { providers: Providers; account: Account; chat: Chat; message: Message };

/** Builds a provider's updates in its own format. `null`: the provider sends no update. */
export type ChannelKind = {
  label: string;
  newMessageId(): string;
  /** Maximum number of files per message, and whether a message can have text and files. */
  filesPerMessage: number;
  textWithFiles: boolean;
  /** Finds the links and names in a person's text, for providers that mark them. */
  findEntities?(text: string): object[];
  wrote(occurrence: Occurrence): unknown[];
  edited(occurrence: Occurrence): unknown;
  removed(occurrence: Occurrence): unknown;
  reacted(occurrence: Occurrence, emoji: string): unknown;
  receipt(occurrence: Occurrence, status: Status, failure?: LateFailure): unknown;
  refusals: Readonly<Record<string, Refusal>>;
  lateFailures: readonly LateFailure[];
};

/** A failure that a provider reports after it accepted a message. */
export type LateFailure = { code: number; title: string; details: string };
