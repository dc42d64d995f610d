'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Subject, setField } from '#app/components/custom-fields/actions.ts';
import { FieldEditor } from '#app/components/custom-fields/field-editor.tsx';
import { FieldValue } from '#app/components/custom-fields/field-value.tsx';
import { fieldsQuery, fieldValuesQuery } from '#app/components/custom-fields/fields-queries.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { DescriptionItem, DescriptionList } from '#app/components/ui/description-list.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type { CustomField } from '#server/screens/fields/views.ts';

type Props = Subject & { mayChange: boolean };

/** The custom fields of a contact or conversation. Empty ones are folded. */
export function CustomFields({ subject, id, mayChange }: Props) {
  const screens = useScreens();
  const { data: { fields: all } = { fields: [] } } = useQuery(fieldsQuery(screens));
  const fields = all.filter((field) => field.subject === subject);
  const { data: values } = useQuery({
    ...fieldValuesQuery(screens, { subject, id }),
    enabled: fields.length > 0,
  });
  if (fields.length === 0 || !values) return null;
  if (mayChange) return <EditableFields key={id} subject={subject} id={id} fields={fields} values={values} />;
  const filled = fields.flatMap((field) => {
    const value = values[field.id];
    return value === undefined ? [] : [{ field, value }];
  });
  return filled.length === 0 ? null : (
    <DescriptionList>
      {filled.map(({ field, value }) => (
        <DescriptionItem key={field.id} name={field.name}>
          <FieldValue field={field} value={value} />
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

type EditableProps = Subject & { fields: CustomField[]; values: Record<string, string> };

function EditableFields({ subject, id, fields, values }: EditableProps) {
  const save = useSaveField({ subject, id });
  const [isUnfolded, setIsUnfolded] = useState(false);
  // A field that is emptied stays where it is.
  const [wasFilled, setWasFilled] = useState<ReadonlySet<string>>(new Set(Object.keys(values)));
  const added = Object.keys(values).filter((fieldId) => !wasFilled.has(fieldId));
  if (added.length > 0) setWasFilled(new Set([...wasFilled, ...added]));
  const empty = fields.filter((field) => !wasFilled.has(field.id));
  const shown = isUnfolded ? fields : fields.filter((field) => wasFilled.has(field.id));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 empty:hidden">
      {shown.map((field) => (
        <FieldEditor
          key={field.id}
          field={field}
          value={values[field.id] ?? ''}
          save={(typed) => save(field, typed)}
          autoFocus={isUnfolded && field === empty[0]}
        />
      ))}
      {empty.length > 0 && !isUnfolded ? (
        <button
          type="button"
          onClick={() => setIsUnfolded(true)}
          className="inline-flex h-7 w-fit items-center gap-1 rounded-md px-1.5 text-ink-soft text-list hover:bg-hover hover:text-ink max-md:h-11"
        >
          <Plus aria-hidden size={14} />
          {empty.length === 1 ? `Add ${empty[0]?.name}` : pluralize(empty.length, 'empty field')}
        </button>
      ) : null}
    </div>
  );
}

/** Returns a function that shows a value before it is saved. A refused one disappears again. Resolves to the problem, if any. */
function useSaveField(of: Subject) {
  const queries = useQueryClient();
  const { queryKey } = fieldValuesQuery(useScreens(), of);
  return async (field: CustomField, typed: string): Promise<string | null> => {
    await queries.cancelQueries({ queryKey });
    const before = queries.getQueryData(queryKey);
    queries.setQueryData(queryKey, (values = {}) => {
      const { [field.id]: _before, ...others } = values;
      return typed.trim() === '' ? others : { ...others, [field.id]: typed.trim() };
    });
    const outcome = await setField(of, field.id, typed);
    if (!outcome.done) queries.setQueryData(queryKey, before);
    await refetchTopic('conversations');
    return outcome.done ? null : outcome.problem;
  };
}
