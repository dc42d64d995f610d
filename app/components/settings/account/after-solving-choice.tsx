'use client';

import { refetchTopic } from '#app/components/live/page-data.ts';
import { changeAfterSolving } from '#app/components/settings/account/actions.ts';
import { Field } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

const OPTIONS: Record<AfterSolving, string> = {
  next: 'Open the next conversation',
  previous: 'Open the previous conversation',
  list: 'Go back to the list',
};
const ORDER = ['next', 'previous', 'list'] as const satisfies AfterSolving[];

/** Changes what the inbox shows after the teammate solves a conversation. Applies immediately. */
export function AfterSolvingChoice({ chosen }: { chosen: AfterSolving }) {
  const change = useAction(save, { failed: 'Could not save the setting', done: 'Setting saved' });
  const [shown] = change.chosen ?? [chosen];
  return (
    <div className="max-w-sm">
      <Field
        label="After you solve a conversation"
        hint="Also applies to “Send and solve”, snooze, spam and deletion."
      >
        {({ id, describedBy }) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            aria-busy={change.pending}
            value={shown}
            onChange={({ target }) => {
              const to = ORDER.find((each) => each === target.value);
              if (to) change.start(to);
            }}
          >
            {ORDER.map((each) => (
              <option key={each} value={each}>
                {OPTIONS[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

async function save(to: AfterSolving) {
  const outcome = await changeAfterSolving(to);
  if (outcome.done) await dropOpened();
  return outcome;
}

/** Drops the conversations that were opened before, also those that are stored: they contain the old setting until they are fetched again. */
async function dropOpened(): Promise<void> {
  // Without storage, nothing is stored.
  await import('#app/components/inbox/stored-threads.ts')
    .then(({ dropThreads }) => dropThreads())
    .catch(() => undefined);
  void refetchTopic('access');
}
