import { z } from 'zod';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { Channel, type ConnectionEnd, type Role, SlaKind } from '#server/generated/prisma/enums.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

const byName = z.string().nullable();

const hook = { hookId: z.uuid(), event: z.enum(EVENT_KEYS) };
const moment = z.iso.datetime({ offset: true });
/** `teammateName`: who connected, by their name at that time. */
const connection = { connectionId: z.uuid(), teammateName: z.string() };

/** The ends of a connection that no one brought about in this service: owners are notified of these. */
export const NOTIFIED_ENDS = [
  'teammate_left',
  'teammate_deleted',
  'not_allowed',
  'revoked_by_platform',
  'code_reused',
] as const satisfies ConnectionEnd[];

export type NotifiedEnd = (typeof NOTIFIED_ENDS)[number];

/** The content of a notification, by kind, with what its sentence needs. `byName` null: not a teammate. */
export const notificationContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assigned'), data: z.object({ byName }) }),
  z.object({ kind: z.literal('noted'), data: z.object({ byName, noteId: z.uuid() }) }),
  z.object({ kind: z.literal('mentioned'), data: z.object({ byName, noteId: z.uuid() }) }),
  // `why`: a sentence. The reply waits in the conversation. `byName` null: the recipient wrote it, as always in old
  // ones.
  z.object({
    kind: z.literal('reply_not_sent'),
    data: z.object({ why: z.string(), byName: byName.default(null) }),
  }),
  // `why`: a sentence. The message can be sent again. `byName` null: no teammate wrote it.
  z.object({
    kind: z.literal('message_failed'),
    data: z.object({ messageId: z.uuid(), why: z.string(), isYours: z.boolean(), byName }),
  }),
  z.object({ kind: z.literal('contact_wrote'), data: z.object({ messageId: z.uuid() }) }),
  z.object({ kind: z.literal('rated'), data: z.object({ ratingId: z.uuid(), score: z.int() }) }),
  z.object({ kind: z.literal('sla_breached'), data: z.object({ limit: z.enum(SlaKind) }) }),
  z.object({
    kind: z.literal('hook_failing'),
    // `count` events in a row failed, the first of them at `since`. `lastStatus` null: the last had no response.
    data: z.object({ ...hook, count: z.literal([25, 40]), since: moment, lastStatus: z.int().nullable() }),
  }),
  z.object({
    kind: z.literal('hook_removed'),
    // `since` null: it was not failing before.
    data: z.object({ ...hook, reason: z.enum(['failing', 'gone']), since: moment.nullable() }),
  }),
  // The provider calls the account's token invalid. `why`: a sentence.
  z.object({
    kind: z.literal('channel_reconnect'),
    data: z.object({
      accountId: z.uuid(),
      channel: z.enum(Channel),
      accountName: z.string(),
      why: z.string(),
    }),
  }),
  // Its token ends at that time.
  z.object({
    kind: z.literal('channel_expiring'),
    data: z.object({
      accountId: z.uuid(),
      channel: z.enum(Channel),
      accountName: z.string(),
      expiresAt: moment,
    }),
  }),
  // Most of the quota for files is used.
  z.object({
    kind: z.literal('storage_low'),
    data: z.object({ usedBytes: z.number(), quotaBytes: z.number() }),
  }),
  z.object({ kind: z.literal('connection_started'), data: z.object(connection) }),
  z.object({
    kind: z.literal('connection_ended'),
    data: z.object({ ...connection, reason: z.enum(NOTIFIED_ENDS) }),
  }),
]);

export type NotificationContent = z.infer<typeof notificationContent>;

/** The data of a hook's notification. */
export type HookNotification = Extract<NotificationContent, { kind: 'hook_failing' | 'hook_removed' }>;

/** The data of a connection's notification. */
export type ConnectionNotification = Extract<
  NotificationContent,
  { kind: 'connection_started' | 'connection_ended' }
>;

/** What they are notified of about an account of a channel. */
export type ChannelNotification = Extract<
  NotificationContent,
  { kind: 'channel_reconnect' | 'channel_expiring' }
>;

/** The data of the warning that most of the quota for files is used. */
export type StorageNotification = Extract<NotificationContent, { kind: 'storage_low' }>;

/** What owners and admins are notified of, by email too. */
export type ManagerNotification =
  | HookNotification
  | ConnectionNotification
  | ChannelNotification
  | StorageNotification;

/** Whom each is for: of workflows those who can mend them, of connections the owners. */
export const NOTIFIED_ROLES = {
  hook_failing: ADMIN_ROLES,
  hook_removed: ADMIN_ROLES,
  channel_reconnect: ADMIN_ROLES,
  channel_expiring: ADMIN_ROLES,
  storage_low: ADMIN_ROLES,
  connection_started: ['owner'],
  connection_ended: ['owner'],
} as const satisfies Record<ManagerNotification['kind'], readonly Role[]>;
