/**
 * Kinds of changes in a workspace that open pages are notified of. `commands`: the list of available commands. `channels`: the
 * accounts of channels.
 */
export const LIVE_TOPICS = ['deliveries', 'notifications', 'conversations', 'commands', 'channels'] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];
