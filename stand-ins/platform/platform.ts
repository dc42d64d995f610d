import type { Configuration } from 'openid-client';
import type { Stream } from '../http/open-stream.ts';
import type { Settings } from './settings.ts';
import type { PlatformState } from './state.ts';

/** Shared context: settings, OAuth client, in-memory state, and the stream to the open pages. */
export type Platform = {
  settings: Settings;
  oauth: Configuration;
  state: PlatformState;
  stream: Stream;
};
