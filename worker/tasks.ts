import type { Task } from 'graphile-worker';
import type { z } from 'zod';
import { answerContact } from '#server/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/ai-agent/example-agent.ts';
import { removeTestConversation } from '#server/ai-agent/remove-test-conversation.ts';
import { linkContacts } from '#server/companies/link-contacts.ts';
import { removeCompany } from '#server/companies/remove-company.ts';
import { endUnexchangedConnections } from '#server/connections/end-unexchanged-connections.ts';
import { closeSolved } from '#server/conversations/close-solved.ts';
import { redeliverFailedBatch } from '#server/deliveries/redeliver-failed.ts';
import { removeOldHistory } from '#server/deliveries/remove-old-history.ts';
import { removeExpiredFiles } from '#server/files/remove-expired-files.ts';
import { sealAgain } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { receiveMail } from '#server/inbox/channels/email/inbound/receive-mail.ts';
import { processUpdates, retryUpdate } from '#server/inbox/channels/inbound/process-updates.ts';
import { removeOldUpdates } from '#server/inbox/channels/inbound/remove-old-updates.ts';
import { mailInvitation } from '#server/invitations/mail-invitation.ts';
import { JOBS, type JobName } from '#server/jobs.ts';
import { failBrokenOff } from '#server/messages/fail-broken-off.ts';
import { sendPendingReply } from '#server/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/messages/send-queued-message.ts';
import { mailNotifications } from '#server/notifications/mail-notifications.ts';
import { mailUnseen } from '#server/notifications/mail-unseen.ts';
import { removeOldNotifications } from '#server/notifications/remove-old-notifications.ts';
import { deleteOldConsentForms } from '#server/oauth/delete-old-consent-forms.ts';
import { removeOldTokens } from '#server/oauth/remove-old-tokens.ts';
import { askForRating } from '#server/ratings/ask-for-rating.ts';
import { breachClocks } from '#server/sla/breach-clocks.ts';
import { mailReset } from '#server/teammates/mail-reset.ts';
import { removeAccount } from '#server/teammates/remove-account.ts';
import { removeTeam } from '#server/teams/remove-team.ts';
import { removeOldVisitors } from '#server/webchat/remove-old-visitors.ts';
import { removeWorkspace } from '#server/workspaces/remove-workspace.ts';
import { freeOrphanedJobs } from '#worker/free-orphaned-jobs.ts';
import { runSteps } from '#worker/run-steps.ts';

/** What is cleaned up each minute; one that fails keeps no other from running. */
const CLEAN_UP = {
  deleteOldConsentForms,
  removeOldTokens,
  endUnexchangedConnections,
  failBrokenOff,
  freeOrphanedJobs,
  removeOldHistory,
  removeOldVisitors,
  removeExpiredFiles,
  sealAgain,
  removeOldUpdates,
};

/** What runs by the clock; its jobs carry nothing. */
const CLOCK_TASKS = {
  'close-solved': async () => void (await closeSolved()),
  'remove-old-notifications': async () => void (await removeOldNotifications()),
  'breach-clocks': async () => void (await breachClocks()),
  'clean-up': () => runSteps('clean_up.step_failed', CLEAN_UP),
} satisfies Record<string, Task>;

/** The worker's tasks. The rows are the state, and each task may run again without doing its work twice. */
export function makeTasks() {
  return {
    ...CLOCK_TASKS,
    'redeliver-failed': task(JOBS['redeliver-failed'], redeliverFailedBatch),
    'process-updates': task(JOBS['process-updates'], ({ accountId }) => processUpdates(accountId)),
    'retry-update': task(JOBS['retry-update'], ({ updateId }) => retryUpdate(updateId)),
    'remove-account': task(JOBS['remove-account'], ({ userId }) => removeAccount(userId)),
    'remove-workspace': task(JOBS['remove-workspace'], ({ workspaceId }) => removeWorkspace(workspaceId)),
    'remove-team': task(JOBS['remove-team'], (job) => removeTeam(job)),
    'remove-company': task(JOBS['remove-company'], ({ companyId }) => removeCompany(companyId)),
    'link-contacts': task(JOBS['link-contacts'], (job) => linkContacts(job)),
    'receive-mail': task(JOBS['receive-mail'], ({ updateId }) => receiveMail(updateId)),
    'send-pending-reply': task(JOBS['send-pending-reply'], ({ pendingReplyId }) =>
      sendPendingReply(pendingReplyId),
    ),
    'answer-contact': task(JOBS['answer-contact'], (job) => answerContact(exampleAgent, job)),
    'remove-test-conversation': task(JOBS['remove-test-conversation'], ({ conversationId }) =>
      removeTestConversation(conversationId),
    ),
  } satisfies Record<Exclude<JobName, MailTask> | keyof typeof CLOCK_TASKS, Task>;
}

type MailTask = Extract<JobName, `mail-${string}` | 'ask-for-rating' | 'send-message'> | 'mail-unseen';

/** Tasks that wait for a mail server. They have a share of the worker of their own, so that one that hangs holds up no other. */
export function makeMailTasks() {
  return {
    'mail-notifications': task(JOBS['mail-notifications'], ({ notificationIds }) =>
      mailNotifications(notificationIds),
    ),
    'ask-for-rating': task(JOBS['ask-for-rating'], ({ conversationId }) => askForRating(conversationId)),
    'mail-invitation': task(JOBS['mail-invitation'], ({ invitationId }) => mailInvitation(invitationId)),
    'mail-password-reset': task(JOBS['mail-password-reset'], mailReset),
    'send-message': task(JOBS['send-message'], ({ messageId }) => sendQueuedMessage(messageId)),
    'mail-unseen': () => mailUnseen(),
  } satisfies Record<MailTask, Task>;
}

/** A task that parses its job's payload before it begins. */
function task<Schema extends z.ZodType>(
  schema: Schema,
  run: (job: z.output<Schema>) => Promise<unknown>,
): Task {
  return async (payload) => void (await run(schema.parse(payload)));
}

/** What runs by the clock: once a minute, or an hour, each at most one at a time however many workers there are. */
export const CRONTAB = `
* * * * * clean-up ?queue=clean-up&max=3
* * * * * close-solved ?queue=close-solved&max=3
* * * * * breach-clocks ?queue=breach-clocks&max=3
17 * * * * remove-old-notifications ?queue=remove-old-notifications&max=3
`;

/** The same for what is mailed. */
export const MAIL_CRONTAB = `
* * * * * mail-unseen ?queue=mail-unseen&max=3
`;
