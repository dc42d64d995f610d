import type { Stream } from '../http/open-stream.ts';
import type { Settings } from './settings.ts';
import type { Account, State } from './state.ts';

/** Queue of updates to deliver. */
export type Outbox = {
  /** Queues an update of an account, after its earlier updates. */
  put(account: Account, update: unknown): void;
  /** Resolves when every queued update was attempted once. */
  settled(): Promise<void>;
  close(): void;
};

/** Shared context: settings, in-memory state, stream to the open pages, and outbox. */
export type Providers = {
  settings: Settings;
  state: State;
  stream: Stream;
  outbox: Outbox;
};

/** Makes the open pages reload. */
export function changed({ stream }: Pick<Providers, 'stream'>): void {
  stream.send('changed', {});
}
