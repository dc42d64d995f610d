import type { Task, TaskList } from 'graphile-worker';
import type { z } from 'zod';
import { removeOldAddressChanges } from '#server/administration/accounts/change-address.ts';
import { removeAccount } from '#server/administration/accounts/delete-account.ts';
import { mailAddressChange } from '#server/administration/accounts/mail-address-change.ts';
import { mailNewDevice } from '#server/administration/accounts/mail-new-device.ts';
import { mailReset } from '#server/administration/accounts/reset-password.ts';
import { mailSecondFactor } from '#server/administration/accounts/second-factor/mail-second-factor.ts';
import { reencryptSecondFactors } from '#server/administration/accounts/second-factor/reencrypt-second-factors.ts';
import { continueExport } from '#server/administration/export/continue-export.ts';
import { endExports } from '#server/administration/export/end-exports.ts';
import { mailExport } from '#server/administration/export/mail-export.ts';
import { removeFieldValues } from '#server/administration/fields/remove-field-values.ts';
import { mailInvitation } from '#server/administration/invitations/mail-invitation.ts';
import { mailNotifications } from '#server/administration/notifications/mail-notifications.ts';
import { mailUnseen } from '#server/administration/notifications/mail-unseen.ts';
import { removeOldNotifications } from '#server/administration/notifications/remove-old-notifications.ts';
import { sendPush } from '#server/administration/notifications/send-push.ts';
import { eraseDueContacts } from '#server/administration/privacy/erase-contact.ts';
import { applyRetention } from '#server/administration/retention/apply-retention.ts';
import { reencryptClientSecrets } from '#server/administration/single-sign-on/configure-sign-on.ts';
import { continueReplacing } from '#server/administration/tags/replace-tag.ts';
import { removeTeam } from '#server/administration/teams/delete-team.ts';
import { removeWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { purgeDeleted } from '#server/administration/workspaces/purge-deleted.ts';
import { removeOldOutboxMessages } from '#server/administration/workspaces/test-outbox.ts';
import { removeOldIdempotencyKeys } from '#server/api/idempotency-keys.ts';
import { endUnexchangedConnections } from '#server/automation/connections/end-all-connections.ts';
import { cancelEvents } from '#server/automation/deliveries/cancel-events.ts';
import { watchFailingEndpoints } from '#server/automation/deliveries/pause-endpoint.ts';
import { redeliverFailedBatch } from '#server/automation/deliveries/redeliver-failed.ts';
import { removeOldHistory } from '#server/automation/deliveries/remove-old-history.ts';
import { deleteOldConsentForms } from '#server/automation/oauth/consent-form.ts';
import { removeOldTokens } from '#server/automation/oauth/remove-old-tokens.ts';
import { removeEndedTokens } from '#server/automation/tokens/api-tokens.ts';
import { reencryptEndpointSecrets } from '#server/automation/webhooks/endpoint-secret.ts';
import { replayBatch } from '#server/automation/webhooks/send-again.ts';
import { removeCompany } from '#server/contacts/delete-company.ts';
import { fillPhoneKeys } from '#server/contacts/fill-phone-keys.ts';
import { linkContacts } from '#server/contacts/link-company-contacts.ts';
import { JOBS, type JobName, type ScheduledTask } from '#server/core/jobs/jobs.ts';
import { removeSupersededJobs } from '#server/core/jobs/remove-superseded-jobs.ts';
import { removeOldLimits } from '#server/core/limits/remove-old-limits.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { removeTestConversation } from '#server/inbox/ai-agent/test-agent.ts';
import { checkAccounts } from '#server/inbox/channels/accounts/check-accounts.ts';
import { reencryptCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { reencryptSigningKeys } from '#server/inbox/channels/email/signing-keys.ts';
import { removeExpiredVerifications } from '#server/inbox/claimed-addresses/verify-address.ts';
import { assignWaiting } from '#server/inbox/conversations/assign-waiting.ts';
import { breachClocks } from '#server/inbox/conversations/breach-sla-clocks.ts';
import { closeSolved } from '#server/inbox/conversations/close-solved.ts';
import { endSnoozes } from '#server/inbox/conversations/end-snoozes.ts';
import { notifyOfNewConversations } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { recountClocks } from '#server/inbox/conversations/recount-clocks.ts';
import { removeOldReads } from '#server/inbox/conversations/unread.ts';
import { updateSearch } from '#server/inbox/conversations/update-search.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { removeOldFlowRuns } from '#server/inbox/flows/count-run.ts';
import { runCausedFlows } from '#server/inbox/flows/run-caused-flows.ts';
import { runTimedFlows } from '#server/inbox/flows/run-timed-flows.ts';
import { lookUpMailSender } from '#server/inbox/incoming-mail/look-up-mail-sender.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { removeEmptyDrafts } from '#server/inbox/messages/reply-drafts.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { failBrokenOff, sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { removeOldSuggestions } from '#server/inbox/messages/suggested-replies.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { removeOldUpdates } from '#server/inbox/provider-updates/store-update.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { countReports } from '#server/inbox/reports/count-conversations.ts';
import { removeOldVisitors } from '#server/inbox/web-chat/remove-old-visitors.ts';
import { addFailedSignIn } from '#server/teammates/add-failed-sign-in.ts';
import { removeOldSessions } from '#server/teammates/remove-old-sessions.ts';
import { removeOldVerifications } from '#server/teammates/remove-old-verifications.ts';
import { unlessHeld, unlessReceivingHeld } from '#worker/held-tasks.ts';
import { runSteps } from '#worker/run-steps.ts';

/** Steps of the cleanup that runs every minute. A failed step does not block the others. */
const CLEAN_UP = {
  deleteOldConsentForms,
  removeOldTokens,
  removeEndedTokens,
  removeOldSessions,
  removeOldVerifications,
  removeOldAddressChanges,
  endUnexchangedConnections,
  failBrokenOff,
  removeOldHistory,
  removeOldVisitors,
  removeExpiredVerifications,
  removeExpiredFiles: unlessReceivingHeld(removeExpiredFiles),
  reencryptCredentials,
  reencryptSigningKeys,
  reencryptEndpointSecrets,
  reencryptSecondFactors,
  reencryptClientSecrets,
  watchFailingEndpoints,
  removeOldUpdates: unlessReceivingHeld(removeOldUpdates),
  removeOldLimits,
  removeOldIdempotencyKeys,
  purgeDeleted,
  endExports,
  eraseDueContacts: () => eraseDueContacts(),
  removeOldReads,
  removeSupersededJobs,
  removeOldSuggestions,
  removeOldFlowRuns,
  removeEmptyDrafts,
  removeOldOutboxMessages,
  fillPhoneKeys,
};

/** Scheduled tasks, whose jobs have no payload. */
const CLOCK_TASKS = {
  'apply-retention': unlessHeld('apply-retention', () => applyRetention()),
  'close-solved': unlessHeld('close-solved', closeSolved),
  'count-reports': () => countReports(),
  'remove-old-notifications': async () => void (await removeOldNotifications()),
  'end-snoozes': unlessHeld('end-snoozes', endSnoozes),
  'breach-clocks': unlessHeld('breach-clocks', breachClocks),
  'run-timed-flows': unlessHeld('run-timed-flows', runTimedFlows),
  'refresh-tokens': () => checkAccounts(),
  'clean-up': () => runSteps('clean_up.step_failed', CLEAN_UP),
} satisfies Record<Exclude<ScheduledTask, 'mail-unseen'>, Task>;

type MailTask = Extract<JobName, `mail-${string}` | 'ask-for-rating' | 'send-message'>;
type InboundTask = Extract<JobName, 'look-up-sender' | 'receive-mail'>;

/** Returns the worker's tasks. State is in the rows, and each task is idempotent. */
export function makeTasks(): TaskList {
  return {
    ...CLOCK_TASKS,
    ...jobTasks<Exclude<JobName, MailTask | InboundTask>>({
      'redeliver-failed': redeliverFailedBatch,
      'replay-webhook': replayBatch,
      'cancel-events': cancelEvents,
      'process-updates': ({ accountId }) => processUpdates(accountId),
      'retry-update': ({ updateId }) => retryUpdate(updateId),
      'export-workspace': ({ exportId }) => continueExport(exportId),
      'remove-account': ({ userId }) => removeAccount(userId),
      'remove-workspace': ({ workspaceId }) => removeWorkspace(workspaceId),
      'remove-team': (job) => removeTeam(job),
      'replace-tag': (job) => continueReplacing(job),
      'remove-company': ({ companyId }) => removeCompany(companyId),
      'remove-field-values': (job) => removeFieldValues(job),
      'link-contacts': (job) => linkContacts(job),
      'send-chat-message': ({ messageId }) => sendQueuedMessage(messageId),
      'send-pending-reply': ({ pendingReplyId }) => sendPendingReply(pendingReplyId),
      'answer-contact': (job) => answerContact(exampleAgent, job),
      'run-flows': (job) => runCausedFlows(job),
      'notify-of-new-conversations': ({ workspaceId }) => notifyOfNewConversations(workspaceId),
      'assign-waiting': ({ teamId }) => assignWaiting(teamId),
      'send-push': ({ notificationId }) => sendPush(notificationId),
      'record-failed-sign-in': (job) => addFailedSignIn(job),
      'recount-clocks': (job) => recountClocks(job),
      'update-search': (job) => updateSearch(job),
      'remove-test-conversation': ({ conversationId }) => removeTestConversation(conversationId),
    }),
  };
}

/**
 * Returns the tasks that wait for a mail server. They have a separate share of the worker, so that a hanging
 * mail server delays no other task.
 */
export function makeMailTasks(): TaskList {
  return {
    'mail-unseen': unlessHeld('mail-unseen', mailUnseen),
    ...jobTasks<MailTask>({
      'mail-notifications': ({ notificationIds }) => mailNotifications(notificationIds),
      'ask-for-rating': ({ conversationId }) => askForRating(conversationId),
      'mail-invitation': ({ invitationId }) => mailInvitation(invitationId),
      'mail-password-reset': mailReset,
      'mail-new-device': mailNewDevice,
      'mail-second-factor': mailSecondFactor,
      'mail-export': ({ exportId }) => mailExport(exportId),
      'mail-address-change': ({ changeId }) => mailAddressChange(changeId),
      'send-message': ({ messageId }) => sendQueuedMessage(messageId),
    }),
  };
}

/**
 * Returns the tasks of inbound mail. Anonymous senders determine their number and duration, so they have a
 * separate pool.
 */
export function makeInboundTasks(): TaskList {
  return jobTasks<InboundTask>({
    'look-up-sender': ({ updateId }) => lookUpMailSender(updateId),
    'receive-mail': ({ updateId }) => receiveMail(updateId),
  });
}

type Runs<Name extends JobName> = { [Key in Name]: (job: z.output<(typeof JOBS)[Key]>) => Promise<unknown> };

/** Returns tasks that parse the payloads of their jobs. */
function jobTasks<Name extends JobName>(runs: Runs<Name>): TaskList {
  const tasks: TaskList = {};
  for (const name of Object.keys(runs) as Name[]) {
    // The compiler cannot relate the schema of a name to its function.
    tasks[name] = async (payload) => void (await runs[name](JOBS[name].parse(payload) as never));
  }
  return tasks;
}

/**
 * Schedule of the tasks in UTC: each minute, also of the night, hour or day, at most one at a time over all workers. By its key a job replaces the waiting
 * one and supersedes the one that failed (`removeSupersededJobs`).
 */
export const CRONTAB = `
* 1-4 * * * apply-retention ?queue=apply-retention&jobKey=apply-retention&max=3
* * * * * breach-clocks ?queue=breach-clocks&jobKey=breach-clocks&max=3
* * * * * clean-up ?queue=clean-up&jobKey=clean-up&max=3
* * * * * close-solved ?queue=close-solved&jobKey=close-solved&max=3
* * * * * count-reports ?queue=count-reports&jobKey=count-reports&max=3
* * * * * end-snoozes ?queue=end-snoozes&jobKey=end-snoozes&max=3
* * * * * run-timed-flows ?queue=run-timed-flows&jobKey=run-timed-flows&max=3
41 4 * * * refresh-tokens ?queue=refresh-tokens&jobKey=refresh-tokens&max=3
17 * * * * remove-old-notifications ?queue=remove-old-notifications&jobKey=remove-old-notifications&max=3
`;

export const MAIL_CRONTAB = `
* * * * * mail-unseen ?queue=mail-unseen&jobKey=mail-unseen&max=3
`;
