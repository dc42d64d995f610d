'use client';

import { type FormEvent, useState } from 'react';
import { sendTemplate } from '#app/components/composer/rare-actions.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import { notReached, type Refused } from '#app/lib/outcome.ts';
import type { TemplateView } from '#server/screens/inbox/composer-views.ts';

type Props = { conversationId: string; templates: TemplateView[]; onSent: () => void };

/** Selects a template, fills in its placeholders and shows a preview. */
export function TemplateForm({ conversationId, templates, onSent }: Props) {
  const [index, setIndex] = useState(0);
  const [values, setValues] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<Refused | null>(null);
  const [pending, start] = usePendingTransition();
  const template = templates[index];
  if (!template) return null;
  const { name, language, places } = template;
  const isFull = places.every((place) => (values[place] ?? '').trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(async () => {
      const attempt = `template:${conversationId}`;
      const filled = { name, language, values };
      const id = attemptId(attempt, filled);
      const outcome = await sendTemplate({ conversationId, id, ...filled }).catch(notReached);
      setRefused(outcome.done ? null : outcome);
      if (!outcome.done) return;
      endAttempt(attempt);
      void refetchTopic('conversations');
      onSent();
    });
  };
  return (
    <form onSubmit={submit} aria-label="Send a template" className="grid gap-3">
      {refused ? <Alert>{refused.problem}</Alert> : null}
      <Field label="Template">
        {({ id }) => (
          <Select
            id={id}
            value={index}
            onChange={(change) => {
              setIndex(Number(change.target.value));
              setValues({});
            }}
          >
            {templates.map((each, position) => (
              <option key={`${each.name} ${each.language}`} value={position}>
                {each.name.replaceAll('_', ' ')} ({each.language})
              </option>
            ))}
          </Select>
        )}
      </Field>
      {places.map((place) => (
        <Field key={place} label={`Value for {{${place}}}`} problem={refused?.fields[`value_${place}`]}>
          {({ id, describedBy, invalid }) => (
            <Input
              id={id}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              maxLength={1024}
              value={values[place] ?? ''}
              onChange={(change) => setValues({ ...values, [place]: change.target.value })}
            />
          )}
        </Field>
      ))}
      <p className="whitespace-pre-wrap rounded-md border border-line p-3 text-list [overflow-wrap:anywhere]">
        {preview(template, values)}
      </p>
      <Button
        type="submit"
        variant="primary"
        disabled={pending || !isFull}
        aria-busy={pending}
        className="justify-self-end"
      >
        {pending ? 'Sending' : 'Send template'}
      </Button>
    </form>
  );
}

function preview({ header, body, footer }: TemplateView, values: Record<string, string>): string {
  const filled = body.replaceAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/g, (all, place: string) => values[place] || all);
  return [header, filled, footer].filter(Boolean).join('\n\n');
}
