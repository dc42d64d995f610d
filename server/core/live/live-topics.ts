/**
 * Kinds of changes in a workspace that open pages are notified of. `commands`: the list of available commands.
 */
export const LIVE_TOPICS = ['deliveries', 'notifications', 'conversations', 'commands'] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];
