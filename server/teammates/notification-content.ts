import { z } from 'zod';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import {
  AttemptOutcome,
  Channel,
  type ConnectionEnd,
  DeliveryOutcome,
  type Role,
  SlaKind,
} from '#server/generated/prisma/enums.ts';
import { ADMIN_ROLES } from '#server/teammates/roles.ts';

const byName = z.string().nullable();

const endpoint = { endpointId: z.uuid(), url: z.string() };
const hook = { hookId: z.uuid(), event: z.enum(EVENT_KEYS) };
const timestamp = z.iso.datetime({ offset: true });
/** `teammateName`: the name of the teammate who connected, at that time. */
const connection = { connectionId: z.uuid(), teammateName: z.string() };

/** The reasons for which a connection ends without an action in this service. Owners are notified of these. */
export const NOTIFIED_ENDS = [
  'teammate_left',
  'teammate_deleted',
  'not_allowed',
  'revoked_by_platform',
  'code_reused',
] as const satisfies ConnectionEnd[];

export type NotifiedEnd = (typeof NOTIFIED_ENDS)[number];

/**
 * Content of a notification by kind, with the values for its sentence. `byName` is null when no teammate did
 * it.
 */
export const notificationContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('assigned'), data: z.object({ byName }) }),
  z.object({ kind: z.literal('noted'), data: z.object({ byName, noteId: z.uuid() }) }),
  z.object({ kind: z.literal('mentioned'), data: z.object({ byName, noteId: z.uuid() }) }),
  // `why` is a sentence. The reply is still in the conversation. `byName` is null if the recipient wrote the
  // reply, and in old notifications.
  z.object({
    kind: z.literal('reply_not_sent'),
    data: z.object({ why: z.string(), byName: byName.default(null) }),
  }),
  // `why` is a sentence. The message can be sent again, unless it may have arrived (`isDoubtful`). `byName` is null when no teammate wrote it.
  z.object({
    kind: z.literal('message_failed'),
    data: z.object({
      messageId: z.uuid(),
      why: z.string(),
      isYours: z.boolean(),
      byName,
      isDoubtful: z.boolean().optional(),
    }),
  }),
  // `authorName`: somebody else than the contact wrote, such as a person in copy.
  z.object({
    kind: z.literal('contact_wrote'),
    data: z.object({ messageId: z.uuid(), authorName: z.string().optional() }),
  }),
  // The contact wrote, and the assignee is away until then; null: without an end.
  z.object({
    kind: z.literal('assignee_away'),
    data: z.object({ assigneeName: z.string(), until: timestamp.nullable() }),
  }),
  // The conversation is new in a team of the recipient.
  z.object({ kind: z.literal('team_conversation'), data: z.object({ teamName: z.string() }) }),
  // Nobody is assigned to the conversation, which a contact started or the AI agent left to the team. `more`: number of
  // further ones, which the recipient is not notified of. `isNew`: all of them started shortly before.
  z.object({
    kind: z.literal('new_conversation'),
    data: z.object({ more: z.int().default(0), isNew: z.boolean().default(true) }),
  }),
  // A command of the recipient was not delivered to a workflow. `last`: the last attempt.
  z.object({
    kind: z.literal('command_failed'),
    data: z.object({
      command: z.string(),
      outcome: z.enum(DeliveryOutcome),
      attempts: z.int(),
      last: z.object({ outcome: z.enum(AttemptOutcome), statusCode: z.int().nullable() }).nullable(),
    }),
  }),
  z.object({ kind: z.literal('rated'), data: z.object({ ratingId: z.uuid(), score: z.int() }) }),
  z.object({ kind: z.literal('sla_breached'), data: z.object({ limit: z.enum(SlaKind) }) }),
  z.object({
    kind: z.literal('hook_failing'),
    // `count` events in a row failed, the first at `since`. `lastStatus` is null when the last had no
    // response.
    data: z.object({ ...hook, count: z.literal([25, 40]), since: timestamp, lastStatus: z.int().nullable() }),
  }),
  z.object({
    kind: z.literal('hook_removed'),
    // `since` is null when the hook was not failing before.
    data: z.object({ ...hook, reason: z.enum(['failing', 'gone']), since: timestamp.nullable() }),
  }),
  // The provider rejects the account's token. `why` is a sentence.
  z.object({
    kind: z.literal('channel_reconnect'),
    data: z.object({
      accountId: z.uuid(),
      channel: z.enum(Channel),
      accountName: z.string(),
      why: z.string(),
    }),
  }),
  // The account's token expires at `expiresAt`.
  z.object({
    kind: z.literal('channel_expiring'),
    data: z.object({
      accountId: z.uuid(),
      channel: z.enum(Channel),
      accountName: z.string(),
      expiresAt: timestamp,
    }),
  }),
  // No attempt could process an update of the provider, such as a message.
  z.object({
    kind: z.literal('channel_update_failed'),
    data: z.object({ accountId: z.uuid(), channel: z.enum(Channel), accountName: z.string() }),
  }),
  // Most of the storage quota is used.
  z.object({
    kind: z.literal('storage_low'),
    data: z.object({ usedBytes: z.number(), quotaBytes: z.number() }),
  }),
  z.object({ kind: z.literal('connection_started'), data: z.object(connection) }),
  z.object({
    kind: z.literal('connection_ended'),
    data: z.object({ ...connection, reason: z.enum(NOTIFIED_ENDS) }),
  }),
  // Events for a webhook endpoint have failed since then. `webhook_paused`: it gets no more events.
  z.object({
    kind: z.literal('webhook_failing'),
    data: z.object({ ...endpoint, since: timestamp.nullable() }),
  }),
  z.object({
    kind: z.literal('webhook_paused'),
    data: z.object({ ...endpoint, reason: z.enum(['failing', 'gone']), since: timestamp.nullable() }),
  }),
  z.object({
    kind: z.literal('api_token_created'),
    data: z.object({
      tokenId: z.uuid(),
      label: z.string(),
      abilities: z.array(z.string()),
      byName: z.string(),
    }),
  }),
]);

export type NotificationContent = z.infer<typeof notificationContent>;

export type HookNotification = Extract<NotificationContent, { kind: 'hook_failing' | 'hook_removed' }>;

export type ConnectionNotification = Extract<
  NotificationContent,
  { kind: 'connection_started' | 'connection_ended' }
>;

export type ChannelNotification = Extract<
  NotificationContent,
  { kind: 'channel_reconnect' | 'channel_expiring' | 'channel_update_failed' }
>;

export type StorageNotification = Extract<NotificationContent, { kind: 'storage_low' }>;

export type TokenNotification = Extract<NotificationContent, { kind: 'api_token_created' }>;

export type WebhookNotification = Extract<
  NotificationContent,
  { kind: 'webhook_failing' | 'webhook_paused' }
>;

/** Notifications for owners and admins, also sent by email. */
export type ManagerNotification =
  | HookNotification
  | ConnectionNotification
  | ChannelNotification
  | StorageNotification
  | TokenNotification
  | WebhookNotification;

/** Recipients by role: workflows concern those who can repair them, connections and API tokens the owners. */
export const NOTIFIED_ROLES = {
  hook_failing: ADMIN_ROLES,
  hook_removed: ADMIN_ROLES,
  webhook_failing: ADMIN_ROLES,
  webhook_paused: ADMIN_ROLES,
  channel_reconnect: ADMIN_ROLES,
  channel_expiring: ADMIN_ROLES,
  channel_update_failed: ADMIN_ROLES,
  storage_low: ADMIN_ROLES,
  connection_started: ['owner'],
  connection_ended: ['owner'],
  api_token_created: ['owner'],
} as const satisfies Record<ManagerNotification['kind'], readonly Role[]>;
