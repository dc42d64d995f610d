import { z } from 'zod';

const messageId = z.object({ messageId: z.uuid() });
const conversationId = z.object({ conversationId: z.uuid() });
/** Browser, system and address of a sign-in, whose session may have ended. */
const device = { device: z.string(), address: z.string() };
const dateTime = z.iso.datetime().transform((text) => new Date(text));

/**
 * Payloads of the jobs that a change may queue, by task. They contain ids, because the state is in the rows. Both the code that
 * queues a job and the task that runs it use this schema.
 */
export const JOBS = {
  'redeliver-failed': z.object({ workspaceId: z.uuid(), hookId: z.uuid().nullable(), before: dateTime }),
  'replay-webhook': z.object({
    endpointId: z.uuid(),
    since: dateTime,
    before: dateTime,
    after: z.uuid().optional(),
  }),
  'cancel-events': z.object({ workspaceId: z.uuid(), conversationId: z.uuid() }),
  'send-message': messageId,
  'send-chat-message': messageId,
  'look-up-sender': z.object({ updateId: z.uuid() }),
  'receive-mail': z.object({ updateId: z.uuid() }),
  'send-pending-reply': z.object({ pendingReplyId: z.uuid() }),
  'answer-contact': messageId,
  'run-flows': z.object({ causeId: z.uuid() }),
  'notify-of-new-conversations': z.object({ workspaceId: z.uuid() }),
  'assign-waiting': z.object({ teamId: z.uuid() }),
  'update-search': z.object({ workspaceId: z.uuid(), after: z.uuid().optional() }),
  'recount-clocks': z.object({ workspaceId: z.uuid(), after: z.uuid().optional() }),
  'remove-test-conversation': conversationId,
  'send-push': z.object({ notificationId: z.uuid() }),
  'mail-notifications': z.object({ notificationIds: z.array(z.uuid()) }),
  'ask-for-rating': conversationId,
  'mail-invitation': z.object({ invitationId: z.uuid() }),
  'mail-password-reset': z.object({ userId: z.uuid(), askedAt: dateTime }),
  'mail-new-device': z.object({
    userId: z.uuid(),
    sessionId: z.uuid(),
    at: dateTime,
    isSingleSignOn: z.boolean().optional(),
    isPasskey: z.boolean().optional(),
    ...device,
  }),
  'mail-address-change': z.object({ changeId: z.uuid() }),
  'mail-second-factor': z.object({
    userId: z.uuid(),
    changeId: z.uuid(),
    change: z.enum(['on', 'off', 'reset', 'recovery_codes', 'passkey_added', 'passkey_removed']),
    at: dateTime,
    byName: z.string().nullable(),
    // Missing in jobs of servers without passkeys.
    passkeyName: z.string().nullish(),
  }),
  'record-failed-sign-in': z.object({ userId: z.uuid(), attemptId: z.uuid(), ...device }),
  'process-updates': z.object({ accountId: z.uuid() }),
  'retry-update': z.object({ updateId: z.uuid() }),
  'export-workspace': z.object({ exportId: z.uuid() }),
  'mail-export': z.object({ exportId: z.uuid() }),
  'remove-account': z.object({ userId: z.uuid() }),
  'remove-workspace': z.object({ workspaceId: z.uuid() }),
  'remove-team': z.object({ teamId: z.uuid(), byId: z.uuid() }),
  'replace-tag': z.object({ replacementId: z.uuid() }),
  'remove-company': z.object({ companyId: z.uuid() }),
  'remove-field-values': z.object({ fieldId: z.uuid() }),
  'link-contacts': z.object({ workspaceId: z.uuid(), companyId: z.uuid(), domain: z.string() }),
} satisfies Record<string, z.ZodType>;

export type JobName = keyof typeof JOBS;

/** Scheduled tasks, whose jobs have no payload. */
export const SCHEDULED_TASKS = [
  'apply-retention',
  'breach-clocks',
  'clean-up',
  'close-solved',
  'count-reports',
  'end-snoozes',
  'mail-unseen',
  'refresh-tokens',
  'remove-old-notifications',
  'run-timed-flows',
] as const;

/** Scheduled tasks that a restore holds, because they send or cause events. `hold_restored_work` has the same list. */
export const HELD_TASKS = [
  'apply-retention',
  'breach-clocks',
  'close-solved',
  'end-snoozes',
  'mail-unseen',
  'run-timed-flows',
] as const satisfies ScheduledTask[];

/** Jobs that process what was received: a stored mail, or updates of a provider. */
export const RECEIVING_JOBS = [
  'look-up-sender',
  'receive-mail',
  'process-updates',
  'retry-update',
] as const satisfies JobName[];

export type HeldTask = (typeof HELD_TASKS)[number];
export type ScheduledTask = (typeof SCHEDULED_TASKS)[number];
/** Payload of a queued job, before parsing. */
export type JobPayload<Name extends JobName> = z.input<(typeof JOBS)[Name]>;
