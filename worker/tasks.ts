import type { TaskList } from 'graphile-worker';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { endUnexchangedConnections } from '#server/connections/end-unexchanged-connections.ts';
import { deliver } from '#server/deliveries/deliver.ts';
import { fanOut } from '#server/events/fan-out.ts';
import { failBrokenOff } from '#server/messages/fail-broken-off.ts';
import { sendQueuedMessage } from '#server/messages/send-queued-message.ts';
import { deleteOldConsentForms } from '#server/oauth/delete-old-consent-forms.ts';

const fanOutPayload = z.object({ eventIds: z.array(z.uuid()) });
const deliverPayload = z.object({ deliveryId: z.uuid(), attempt: z.int().min(1) });
const sendMessagePayload = z.object({ messageId: z.uuid() });

/**
 * The worker's tasks. A job's payload holds ids alone and is parsed here; the rows are the state, and each task
 * may run again without doing its work twice.
 */
export function makeTasks(hookAgent: Dispatcher): TaskList {
  return {
    'fan-out': async (payload) => {
      await fanOut(fanOutPayload.parse(payload).eventIds);
    },
    deliver: (payload) => deliver(hookAgent, deliverPayload.parse(payload)),
    'send-message': (payload) => sendQueuedMessage(sendMessagePayload.parse(payload).messageId),
    'clean-up': async () => {
      await deleteOldConsentForms();
      await endUnexchangedConnections();
      await failBrokenOff();
    },
  };
}

/** What runs by the clock: once a minute, at most one at a time however many workers there are. */
export const CRONTAB = '* * * * * clean-up ?queue=clean-up&max=3';
