import type { Configuration } from 'openid-client';
import type { Stream } from '../http/open-stream.ts';
import type { Settings } from './settings.ts';
import type { PlatformState } from './state.ts';

/** What every part of the program is handed: settings, the OAuth client, the memory, the open pages. */
export type Platform = {
  settings: Settings;
  oauth: Configuration;
  state: PlatformState;
  stream: Stream;
};
