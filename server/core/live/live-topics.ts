/**
 * What an open page can be notified of: something of this kind has changed in its workspace. `commands`: which ones can
 * be run.
 */
export const LIVE_TOPICS = ['deliveries', 'notifications', 'conversations', 'commands'] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];
