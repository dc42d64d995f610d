/**
 * Kinds of changes in a workspace that open pages are notified of. `commands`: the list of available commands. `draft`: the text of a
 * draft, for pages that have its conversation open. `channels`: the
 * accounts of channels. `teammates`: members and invitations. `outbox`: the messages that a test workspace did not send. `access`:
 * which conversations teammates see.
 */
export const LIVE_TOPICS = [
  'deliveries',
  'notifications',
  'conversations',
  'commands',
  'draft',
  'channels',
  'teammates',
  'outbox',
  'access',
] as const;

export type LiveTopic = (typeof LIVE_TOPICS)[number];

/**
 * What has changed in a workspace, as ages in ms, so that a page needs no clock of this machine. `completeMs`: since when this server has
 * heard of all changes. `changedMs`: the last change of each topic since then.
 */
export type RecentChanges = { completeMs: number; changedMs: Partial<Record<LiveTopic, number>> };
