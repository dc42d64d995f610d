'use client';

import { useEffect, useRef, useState } from 'react';
import { snoozeConversation, updateConversation } from '#app/components/inbox/actions.ts';
import { leaveSolved } from '#app/components/inbox/open-neighbour.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { exactTime } from '#app/lib/format-time.ts';
import { parseSnoozeTime } from '#app/lib/parse-snooze-time.ts';
import type { AfterSolving, ConversationStatus } from '#server/screens/inbox/views.ts';

const SUGGESTIONS = ['In 3 hours', 'Tomorrow 9:00', 'Monday 9:00', 'In 2 weeks'];

type Props = {
  id: string;
  status: ConversationStatus;
  snoozedUntil: Date | null;
  afterSolving: AfterSolving;
  onDone: () => void;
};

/** A field for the time, with suggestions. Enter uses the typed time. */
export default function SnoozeForm({ id, status, snoozedUntil, afterSolving, onDone }: Props) {
  const { timeZone } = useNow();
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The panel has opened before this form is loaded.
  useEffect(() => field.current?.focus(), []);
  const timeOf = (words: string) => parseSnoozeTime(words, new Date(), timeZone);
  const typed = timeOf(text);
  const undo = () =>
    status === 'pending' ? snoozeConversation(id, snoozedUntil) : updateConversation(id, { status });
  const save = async (until: Date | null) => {
    onDone();
    const goBack = until ? leaveSolved(id, afterSolving) : null;
    const outcome = await toastOutcome(snoozeConversation(id, until), {
      failed: 'Could not snooze the conversation',
      done: () => ({
        title: until ? `Snoozed until ${exactTime(until, timeZone)}` : 'Snooze cancelled',
        undo: async () => {
          goBack?.();
          await toastOutcome(undo(), { failed: 'Could not undo the snooze', done: 'Undone' });
          await refetchTopic('conversations');
        },
      }),
    });
    if (outcome.done) await refetchTopic('conversations');
    else goBack?.();
  };
  const problem =
    submitted && !typed ? 'Type a future time, for example “tomorrow 9” or “in 3 hours”.' : null;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (typed) void save(typed);
      }}
    >
      <Field
        label="Snooze until"
        hint={typed ? exactTime(typed, timeZone) : 'It returns earlier if the contact writes.'}
        problem={problem}
      >
        {({ id: fieldId, describedBy, invalid }) => (
          <Input
            ref={field}
            id={fieldId}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            autoComplete="off"
            placeholder="tomorrow 9, in 3 hours, mon"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setSubmitted(false);
            }}
          />
        )}
      </Field>
      <ul className="grid">
        {SUGGESTIONS.map((words) => (
          <li key={words}>
            <button
              type="button"
              className="w-full rounded-lg px-2 py-1.5 text-left text-list hover:bg-hover max-md:py-3"
              onClick={() => {
                const until = timeOf(words);
                if (until) void save(until);
              }}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
      {snoozedUntil ? (
        <Button type="button" variant="secondary" onClick={() => void save(null)}>
          Cancel snooze
        </Button>
      ) : null}
    </form>
  );
}
