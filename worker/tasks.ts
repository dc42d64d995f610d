import type { Task } from 'graphile-worker';
import { z } from 'zod';
import { answerContact } from '#server/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/ai-agent/example-agent.ts';
import { removeTestConversation } from '#server/ai-agent/remove-test-conversation.ts';
import { endUnexchangedConnections } from '#server/connections/end-unexchanged-connections.ts';
import { closeSolved } from '#server/conversations/close-solved.ts';
import { redeliverFailedBatch } from '#server/deliveries/redeliver-failed.ts';
import { removeOldHistory } from '#server/deliveries/remove-old-history.ts';
import { mailInvitation } from '#server/invitations/mail-invitation.ts';
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
import { removeOldVisitors } from '#server/webchat/remove-old-visitors.ts';
import { removeWorkspace } from '#server/workspaces/remove-workspace.ts';
import { freeOrphanedJobs } from '#worker/free-orphaned-jobs.ts';

const sendMessagePayload = z.object({ messageId: z.uuid() });
const sendPendingReplyPayload = z.object({ pendingReplyId: z.uuid() });
const answerContactPayload = z.object({ messageId: z.uuid() });
const removeTestPayload = z.object({ conversationId: z.uuid() });
const mailNotificationsPayload = z.object({ notificationIds: z.array(z.uuid()) });
const mailInvitationPayload = z.object({ invitationId: z.uuid() });
const mailResetPayload = z.object({
  userId: z.uuid(),
  askedAt: z.iso.datetime().transform((moment) => new Date(moment)),
});
const askForRatingPayload = z.object({ conversationId: z.uuid() });
const removeAccountPayload = z.object({ userId: z.uuid() });
const removeWorkspacePayload = z.object({ workspaceId: z.uuid() });
const redeliverFailedPayload = z.object({
  workspaceId: z.uuid(),
  hookId: z.uuid().nullable(),
  before: z.iso.datetime().transform((moment) => new Date(moment)),
});

/**
 * The worker's tasks. A job's payload holds ids alone and is parsed here; the rows are the state, and each task
 * may run again without doing its work twice.
 */
export function makeTasks() {
  return {
    'redeliver-failed': async (payload) => {
      await redeliverFailedBatch(redeliverFailedPayload.parse(payload));
    },
    'mail-notifications': (payload) =>
      mailNotifications(mailNotificationsPayload.parse(payload).notificationIds),
    'ask-for-rating': (payload) => askForRating(askForRatingPayload.parse(payload).conversationId),
    'mail-invitation': (payload) => mailInvitation(mailInvitationPayload.parse(payload).invitationId),
    'mail-password-reset': (payload) => mailReset(mailResetPayload.parse(payload)),
    'remove-account': (payload) => removeAccount(removeAccountPayload.parse(payload).userId),
    'remove-workspace': (payload) => removeWorkspace(removeWorkspacePayload.parse(payload).workspaceId),
    'send-message': (payload) => sendQueuedMessage(sendMessagePayload.parse(payload).messageId),
    'send-pending-reply': (payload) =>
      sendPendingReply(sendPendingReplyPayload.parse(payload).pendingReplyId),
    'answer-contact': async (payload) =>
      void (await answerContact(exampleAgent, answerContactPayload.parse(payload))),
    'remove-test-conversation': (payload) =>
      removeTestConversation(removeTestPayload.parse(payload).conversationId),
    'close-solved': async () => void (await closeSolved()),
    'mail-unseen': () => mailUnseen(),
    'remove-old-notifications': async () => void (await removeOldNotifications()),
    'breach-clocks': async () => void (await breachClocks()),
    'clean-up': async () => {
      await deleteOldConsentForms();
      await removeOldTokens();
      await endUnexchangedConnections();
      await failBrokenOff();
      await freeOrphanedJobs();
      await removeOldHistory();
      await removeOldVisitors();
    },
  } satisfies Record<string, Task>;
}

/** What runs by the clock: once a minute, or an hour, each at most one at a time however many workers there are. */
export const CRONTAB = `
* * * * * clean-up ?queue=clean-up&max=3
* * * * * close-solved ?queue=close-solved&max=3
* * * * * breach-clocks ?queue=breach-clocks&max=3
* * * * * mail-unseen ?queue=mail-unseen&max=3
17 * * * * remove-old-notifications ?queue=remove-old-notifications&max=3
`;
