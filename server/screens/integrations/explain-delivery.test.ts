import { expect, test } from 'vitest';
import type { DeliveryStanding } from '#server/screens/integrations/delivery-rows.ts';
import type { LoggedAttempt } from '#server/screens/integrations/explain-attempt.ts';
import { explainDelivery } from '#server/screens/integrations/get-delivery.ts';

const explain = (
  standing: Partial<DeliveryStanding>,
  lastAttempt: Partial<LoggedAttempt> | null,
  removed: string | null = null,
) =>
  explainDelivery(
    {
      outcome: null,
      attempts: 1,
      earlierAttempts: 0,
      ...standing,
    },
    lastAttempt && { outcome: 'failed', statusCode: 500, error: null, retryAfter: null, ...lastAttempt },
    { platformName: 'Zippy', removed },
  );

const WAITING = 'It will be sent in a moment, once earlier events of this workflow have been sent.';

test.each<[string, string]>([
  [
    explain({ outcome: 'delivered' }, { outcome: 'delivered', statusCode: 200 }),
    'Zippy accepted the event (200).',
  ],
  [
    explain({ outcome: 'delivered', attempts: 3 }, { outcome: 'delivered', statusCode: 200 }),
    'Zippy accepted the event (200). It took 3 attempts.',
  ],
  [
    explain(
      { outcome: 'delivered', attempts: 6, earlierAttempts: 5 },
      { outcome: 'delivered', statusCode: 200 },
    ),
    'Zippy accepted the event (200).',
  ],
  [
    explain({ outcome: 'dropped' }, { outcome: 'rejected', statusCode: 404 }),
    'Zippy refused the event (404) because it has no workflow at this address. ' +
      'It was not retried, as the response would be the same.',
  ],
  [
    explain({ outcome: 'dropped' }, { outcome: 'gone', statusCode: 410 }, 'Zippy said so.'),
    'Zippy reported that this workflow is gone (410). The workflow was removed, and nothing more is sent to it.',
  ],
  [
    explain({ outcome: 'exhausted', attempts: 5 }, {}),
    'Zippy had an internal error (500). All 5 attempts failed. It will not be retried.',
  ],
  [
    explain({ outcome: 'exhausted', attempts: 10, earlierAttempts: 5 }, {}),
    'Zippy had an internal error (500). All 5 attempts failed. It will not be retried.',
  ],
  [explain({}, {}), 'Zippy had an internal error (500). It will be retried.'],
  [explain({ attempts: 0 }, null), WAITING],
  [explain({ attempts: 5, earlierAttempts: 5 }, {}), WAITING],
  [
    explain({ outcome: 'cancelled', attempts: 2 }, {}, 'Its connection was disconnected.'),
    'Zippy had an internal error (500). It was not retried because the workflow had ended. ' +
      'Its connection was disconnected.',
  ],
  [
    explain({ outcome: 'cancelled', attempts: 0 }, null, 'Its connection was disconnected.'),
    'It was not sent because the workflow had ended. Its connection was disconnected.',
  ],
  [
    explain({ outcome: 'cancelled', attempts: 0 }, null),
    'It was not sent because its conversation was marked as spam or deleted, or the service was restored from a backup.',
  ],
])('%s', (words, expected) => {
  expect(words).toBe(expected);
});
