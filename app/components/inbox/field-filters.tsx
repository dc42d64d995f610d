'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { fieldsQuery } from '#app/components/custom-fields/fields-queries.ts';
import { operatorNames } from '#app/components/inbox/field-words.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { IconButton } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { isComposing } from '#app/lib/is-composing.ts';
import type { CustomField, FieldSubject } from '#server/screens/fields/views.ts';
import {
  CONDITION_CHOICES_MAX,
  CONDITIONS_MAX,
  FIELD_OPERATORS,
  type FieldCondition,
  type FieldOperator,
  parseFieldConditions,
  writeFieldConditions,
} from '#server/screens/inbox/field-conditions.ts';

type Props = {
  /** The conditions of the view, as its URL has them. */
  shown: string | undefined;
  /** Shows other conditions immediately. */
  apply: (conditions: string | undefined) => void;
};

type Row = FieldCondition & { key: string };

const GROUPS: { subject: FieldSubject; label: string }[] = [
  { subject: 'contact', label: 'Contact' },
  { subject: 'conversation', label: 'Conversation' },
];

/** Conditions on custom fields. An incomplete one is not applied yet. */
export function FieldFilters({ shown, apply }: Props) {
  const { data: { fields } = { fields: [] } } = useQuery(fieldsQuery(useScreens()));
  const [rows, setRows] = useState<Row[]>(() =>
    parseFieldConditions(shown ?? '').map((condition) => ({ ...condition, key: crypto.randomUUID() })),
  );
  const change = (next: Row[]) => {
    setRows(next);
    apply(writeFieldConditions(next));
  };
  const add = (fieldId: string) => {
    const field = fields.find(({ id }) => id === fieldId);
    if (!field) return;
    const [operator] = FIELD_OPERATORS[field.type];
    change([...rows, { key: crypto.randomUUID(), subject: field.subject, fieldId, operator, values: [] }]);
  };
  if (fields.length === 0 && rows.length === 0) return null;
  return (
    <fieldset className="col-span-full grid gap-2">
      <legend className="mb-1.5 font-medium text-list">Fields</legend>
      {rows.map((row) => (
        <ConditionRow
          key={row.key}
          row={row}
          field={fields.find(({ id }) => id === row.fieldId)}
          onChange={(changed) => change(rows.map((each) => (each.key === row.key ? changed : each)))}
          onRemove={() => change(rows.filter((each) => each.key !== row.key))}
        />
      ))}
      {rows.length >= CONDITIONS_MAX || fields.length === 0 ? null : (
        <Select aria-label="Filter by a field" value="" onChange={({ target }) => add(target.value)}>
          <option value="">Add a field</option>
          {GROUPS.map(({ subject, label }) => (
            <optgroup key={subject} label={label}>
              {fields
                .filter((field) => field.subject === subject)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
      )}
    </fieldset>
  );
}

type RowProps = {
  row: Row;
  /** Undefined when it was deleted. */
  field: CustomField | undefined;
  onChange: (row: Row) => void;
  onRemove: () => void;
};

function ConditionRow({ row, field, onChange, onRemove }: RowProps) {
  const name = field?.name ?? 'Deleted field';
  return (
    <div className="flex items-end gap-1">
      <div className="grid min-w-0 grow grid-cols-2 items-end gap-2">
        {field ? (
          <>
            <Field label={name}>
              {({ id }) => (
                <Select
                  id={id}
                  value={row.operator}
                  onChange={({ target }) => {
                    const operator = target.value as FieldOperator;
                    const needsValue = operator !== 'set' && operator !== 'empty';
                    onChange({ ...row, operator, values: needsValue ? row.values : [] });
                  }}
                >
                  {[...FIELD_OPERATORS[field.type], 'set' as const, 'empty' as const].map((operator) => (
                    <option key={operator} value={operator}>
                      {operatorNames[operator]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <ConditionValue row={row} field={field} onChange={onChange} />
          </>
        ) : (
          <p className="col-span-full py-2 text-ink-soft text-list">{name}: it matches no conversation.</p>
        )}
      </div>
      <IconButton icon={X} label={`Remove the filter ${name}`} onClick={onRemove} />
    </div>
  );
}

function ConditionValue({
  row,
  field,
  onChange,
}: Required<Pick<RowProps, 'row' | 'onChange'>> & { field: CustomField }) {
  if (row.operator === 'set' || row.operator === 'empty') return null;
  if (field.type === 'choice') {
    const isFull = row.values.length >= CONDITION_CHOICES_MAX;
    return (
      <fieldset aria-label={field.name} className="scroll-pane grid max-h-32 gap-1.5 py-1">
        {field.choices.map(({ id, name }) => {
          const isChosen = row.values.includes(id);
          return (
            <Checkbox
              key={id}
              label={name}
              checked={isChosen}
              disabled={isFull && !isChosen}
              onChange={() =>
                onChange({
                  ...row,
                  values: isChosen ? row.values.filter((each) => each !== id) : [...row.values, id],
                })
              }
            />
          );
        })}
      </fieldset>
    );
  }
  const isInvalid = row.values.length > 0 && writeFieldConditions([row]) === undefined;
  return (
    <Input
      aria-label={`${field.name}: value`}
      aria-invalid={isInvalid || undefined}
      placeholder={field.type === 'number' ? '12.5' : undefined}
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      max={field.type === 'date' ? '9999-12-31' : undefined}
      maxLength={100}
      autoComplete="off"
      defaultValue={row.values[0] ?? ''}
      onBlur={({ currentTarget }) => {
        const value = currentTarget.value.trim();
        if (value !== (row.values[0] ?? '')) onChange({ ...row, values: value === '' ? [] : [value] });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.currentTarget.blur();
        event.currentTarget.focus();
      }}
    />
  );
}
