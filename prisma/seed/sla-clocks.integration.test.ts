import fc from 'fast-check';
import { expect } from 'vitest';
import { addMinutes } from '#prisma/seed/ago.ts';
import { pauseClock, resumeClock, type SlaClock, startClock, stopClock } from '#prisma/seed/sla-clocks.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { type ClockChange, changeClocks } from '#server/inbox/conversations/sla-clocks.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/service-test.ts';

test('the demo data and the service compute the same SLA clocks for any changes', async ({ connection }) => {
  await db().workspace.update({
    where: { id: connection.workspaceId },
    data: { slaFirstResponseMinutes: FIRST_RESPONSE_MINUTES, slaResolutionMinutes: RESOLUTION_MINUTES },
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const reported: SlaClock[] = [];
      const conversationId = await makeConversation(connection);
      let now = START;
      for (const { what, minutesLater } of [{ what: 'start', minutesLater: 0 } as const, ...changes]) {
        now = addMinutes(now, minutesLater);
        IN_A_STORY[what](reported, now);
        await inTransaction((tx) => changeClocks(tx, { conversationId, clock: what, now }));
        const rows = await db().slaClock.findMany({ where: { conversationId }, orderBy: { kind: 'asc' } });
        expect(rows, what).toMatchObject(reported);
      }
    }),
    { numRuns: 30 },
  );
});

const FIRST_RESPONSE_MINUTES = 30;
const RESOLUTION_MINUTES = 120;
const START = new Date('2026-11-21T06:00:00.123Z');

/** Demo conversations are never restored, and no change in them is undone. */
type StoryChange = Exclude<ClockChange, 'resume_first_response' | 'resume_unanswered' | 'undo_solving'>;

const IN_A_STORY: Record<StoryChange, (clocks: SlaClock[], at: Date) => void> = {
  start: (clocks, at) => {
    startClock(clocks, 'first_response', at, FIRST_RESPONSE_MINUTES);
    startClock(clocks, 'resolution', at, RESOLUTION_MINUTES);
  },
  pause: pauseClock,
  resume: resumeClock,
  first_response_given: (clocks, at) => stopClock(clocks, 'first_response', at),
  stop: (clocks, at) => {
    stopClock(clocks, 'first_response', at);
    stopClock(clocks, 'resolution', at);
  },
};
const change = fc.record({
  what: fc.constantFrom<StoryChange>('pause', 'resume', 'stop', 'first_response_given'),
  minutesLater: fc.integer({ min: 0, max: 50 }),
});
