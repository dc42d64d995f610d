import type { Stream } from '../http/open-stream.ts';
import type { Settings } from './settings.ts';
import type { Account, State } from './state.ts';

/** What waits to be delivered. */
export type Outbox = {
  /** Delivers an update of an account, after those before it. */
  put(account: Account, update: unknown): void;
  /** Resolves when everything put in so far has been tried once. */
  settled(): Promise<void>;
  close(): void;
};

/** What every part of the program is handed: settings, the memory, the open pages, and what is to be delivered. */
export type Providers = {
  settings: Settings;
  state: State;
  stream: Stream;
  outbox: Outbox;
};

/** Has the open pages take themselves from the server again. */
export function changed({ stream }: Pick<Providers, 'stream'>): void {
  stream.send('changed', {});
}
