'use client';

import { snoozeConversation } from '#app/components/inbox/actions.ts';
import { undoWithToast } from '#app/components/inbox/change-conversation.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { TimeChoice } from '#app/components/ui/time-choice.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { leaveSolved } from '#app/components/view/open-neighbour.ts';
import { exactTime } from '#app/lib/format-time.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

type Props = {
  id: string;
  snoozedUntil: Date | null;
  afterSolving: AfterSolving;
  onDone: () => void;
};

/** Texts of the field for the time. */
export const SNOOZE_TIME = { label: 'Snooze until', hint: 'It returns earlier if the contact writes.' };

/** Snoozes a conversation or cancels its snooze, with Undo. */
export function SnoozeForm({ id, snoozedUntil, afterSolving, onDone }: Props) {
  const { timeZone } = useNow();
  const save = async (until: Date | null) => {
    onDone();
    const goBack = until ? leaveSolved(id, afterSolving) : null;
    const outcome = await toastOutcome(snoozeConversation(id, until), {
      failed: 'Could not snooze the conversation',
      done: (before) => ({
        title: until ? `Snoozed until ${exactTime(until, timeZone)}` : 'Snooze cancelled',
        undo: () => {
          goBack?.();
          return undoWithToast(before, { kind: 'snooze', until });
        },
      }),
    });
    if (outcome.done) await refetchTopic('conversations');
    else goBack?.();
  };
  return (
    <TimeChoice {...SNOOZE_TIME} onChoose={(until) => void save(until)}>
      {snoozedUntil ? (
        <Button type="button" variant="secondary" onClick={() => void save(null)}>
          Cancel snooze
        </Button>
      ) : null}
    </TimeChoice>
  );
}
