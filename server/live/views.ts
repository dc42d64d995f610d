/** What an open page can be told of: something of this kind has changed in its workspace. */
export const LIVE_TOPICS = ['deliveries', 'notifications', 'conversations'] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];
