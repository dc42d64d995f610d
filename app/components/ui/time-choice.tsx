'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { exactTime } from '#app/lib/format-time.ts';
import { parseFutureTime } from '#app/lib/parse-future-time.ts';

const SUGGESTIONS = ['In 3 hours', 'Tomorrow 9:00', 'Monday 9:00', 'In 2 weeks'];

type Props = {
  /** Label of the field, such as `Snooze until`. */
  label: string;
  /** Shown while no time is typed. */
  hint: string;
  onChoose: (at: Date) => void;
  children?: ReactNode;
};

/** A field for a future time, with suggestions. Enter uses the typed time. `children` follow the suggestions. */
export function TimeChoice({ label, hint, onChoose, children }: Props) {
  const { timeZone } = useNow();
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The panel has opened before this form is loaded.
  useEffect(() => field.current?.focus(), []);
  const timeOf = (words: string) => parseFutureTime(words, new Date(), timeZone);
  const typed = timeOf(text);
  const problem =
    submitted && !typed ? 'Type a future time, for example “tomorrow 9” or “24 Dec 14:00”.' : null;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (typed) onChoose(typed);
      }}
    >
      <Field label={label} hint={typed ? exactTime(typed, timeZone) : hint} problem={problem}>
        {({ id: fieldId, describedBy, invalid }) => (
          <Input
            ref={field}
            id={fieldId}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            autoComplete="off"
            placeholder="tomorrow 9, in 3 hours, 24 Dec"
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
                if (until) onChoose(until);
              }}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </form>
  );
}
