'use client';

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { TypedChoice } from '#app/components/settings/fields/actions.ts';
import { useFieldUsage } from '#app/components/settings/fields/field-usage.tsx';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { countedWords } from '#app/lib/format-count.ts';
import { isComposing } from '#app/lib/is-composing.ts';
import type { CustomField, FieldSubject } from '#server/screens/fields/views.ts';

type Row = TypedChoice & { key: string };
type Choice = CustomField['choices'][number];

/** The choices of a form: an empty row for a new field. */
export function useChoices(initial: Choice[]) {
  const [rows, setRows] = useState<Row[]>(() =>
    initial.length === 0 ? [newRow()] : initial.map((choice) => ({ ...choice, key: choice.id })),
  );
  const removed = initial.filter(({ id }) => !rows.some((row) => row.id === id));
  const sent = {
    choices: rows.map(({ id, name }) => ({ id, name })),
    removedChoiceIds: removed.map(({ id }) => id),
  };
  return { rows, setRows, removed, sent };
}

function newRow(): Row {
  return { key: crypto.randomUUID(), name: '' };
}

type Props = {
  choices: ReturnType<typeof useChoices>;
  max: number;
  problem: string | undefined;
  field: CustomField | undefined;
  subject: FieldSubject;
};

/** Names, order and removal of choices. Enter adds the next one. */
export function ChoicesEditor({ choices: { rows, setRows, removed }, max, problem, field, subject }: Props) {
  const id = useId();
  /** The row that gets the focus when it appears. */
  const [focused, setFocused] = useState<string | null>(null);
  const isFull = rows.length >= max;
  const addAfter = (at: number) => {
    if (isFull) return;
    const row = newRow();
    setFocused(row.key);
    setRows(rows.toSpliced(at + 1, 0, row));
  };
  const rename = (key: string, name: string) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, name } : row)));
  const move = (at: number, by: -1 | 1) => {
    const row = rows[at];
    if (row && rows[at + by]) setRows(rows.toSpliced(at, 1).toSpliced(at + by, 0, row));
  };
  return (
    <fieldset className="grid gap-2" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend className="mb-1.5 font-medium text-list">Choices</legend>
      <ol className="grid gap-1.5">
        {rows.map((row, at) => (
          <li key={row.key} className="flex items-center gap-1">
            <Input
              aria-label={`Choice ${at + 1}`}
              value={row.name}
              autoFocus={row.key === focused}
              autoComplete="off"
              onChange={({ currentTarget }) => rename(row.key, currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || isComposing(event.nativeEvent))
                  return;
                event.preventDefault();
                addAfter(at);
              }}
            />
            <IconButton
              icon={ArrowUp}
              label={`Move choice ${at + 1} up`}
              aria-disabled={at === 0}
              onClick={() => move(at, -1)}
              className="aria-disabled:opacity-40"
            />
            <IconButton
              icon={ArrowDown}
              label={`Move choice ${at + 1} down`}
              aria-disabled={at === rows.length - 1}
              onClick={() => move(at, 1)}
              className="aria-disabled:opacity-40"
            />
            <IconButton
              icon={X}
              label={`Remove choice ${at + 1}`}
              aria-disabled={rows.length === 1}
              onClick={() => rows.length > 1 && setRows(rows.toSpliced(at, 1))}
              className="aria-disabled:opacity-40"
            />
          </li>
        ))}
      </ol>
      {problem ? <FieldError id={`${id}-problem`}>{problem}</FieldError> : null}
      {isFull ? (
        <p className="text-ink-soft text-list">A field can have up to {max} choices.</p>
      ) : (
        <Button variant="quiet" className="justify-self-start" onClick={() => addAfter(rows.length - 1)}>
          <Plus aria-hidden size={16} />
          Add choice
        </Button>
      )}
      {field && removed.length > 0 ? (
        <RemovedChoices fieldId={field.id} removed={removed} subject={subject} />
      ) : null}
    </fieldset>
  );
}

type RemovedProps = { fieldId: string; removed: Choice[]; subject: FieldSubject };

/** Says how many values the removed choices have. They are cleared when the form is saved. */
function RemovedChoices({ fieldId, removed, subject }: RemovedProps) {
  const { usage } = useFieldUsage(fieldId, true);
  return (
    <ul role="status" className="grid gap-1 text-list text-danger-ink">
      {removed.map(({ id, name }) => {
        const counted = usage?.choices[id];
        return (
          <li key={id} className="[overflow-wrap:anywhere]">
            {counted === undefined
              ? `${name} will be removed.`
              : counted.count === 0
                ? `${name} will be removed. No ${subject} has it.`
                : `${name} will be removed. ${countedWords(counted, subject)} will lose it.`}
          </li>
        );
      })}
    </ul>
  );
}
