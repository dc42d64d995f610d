import type { Stream } from '../http/open-stream.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';
import type { Outbox } from './webhooks/open-outbox.ts';

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
