/**
 * Kinds of changes in a workspace that open pages are notified of. `commands`: the list of available commands. `channels`: the
 * accounts of channels. `teammates`: members and invitations.
 */
export const LIVE_TOPICS = [
  'deliveries',
  'notifications',
  'conversations',
  'commands',
  'channels',
  'teammates',
] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];
