import { ListPlus } from 'lucide-react';
import { deleteField } from '#app/components/settings/fields/actions.ts';
import { FieldDialog } from '#app/components/settings/fields/field-dialog.tsx';
import { RemovedValues } from '#app/components/settings/fields/field-usage.tsx';
import { MoveFieldButtons } from '#app/components/settings/fields/move-field-buttons.tsx';
import { TYPE_NAMES } from '#app/components/settings/fields/type-names.ts';
import { ManagedList } from '#app/components/settings/managed-list.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import type { CustomField, FieldSubject, FieldsView } from '#server/screens/fields/views.ts';

type Props = FieldsView & { subject: FieldSubject; workspace: { name: string; role: string } };

const WHERE: Record<FieldSubject, { id: string; empty: string; hint: string }> = {
  contact: {
    id: 'contact-fields',
    empty: 'Know more about contacts',
    hint: 'For example a customer number, a plan, or the date of a renewal. Teammates fill it in beside each conversation.',
  },
  conversation: {
    id: 'conversation-fields',
    empty: 'Know more about conversations',
    hint: 'For example an order number or the cause of a problem. Teammates fill it in beside the conversation.',
  },
};

/** The fields of contacts, or those of conversations, in their order. */
export function FieldList({ subject, fields: all, max, choicesMax, workspace }: Props) {
  const fields = all.filter((field) => field.subject === subject);
  const { id, empty, hint } = WHERE[subject];
  return (
    <ManagedList
      id={id}
      one={`${subject} field`}
      count={fields.length}
      max={max}
      mayManage
      managers={{ workspaceName: workspace.name, role: workspace.role, what: 'change fields' }}
      add={<FieldDialog subject={subject} choicesMax={choicesMax} />}
      empty={(add) => (
        <EmptyState icon={ListPlus} title={empty} action={add}>
          <p>{hint}</p>
        </EmptyState>
      )}
      focusOn={fields
        .map((field) => field.id)
        .toSorted()
        .join(' ')}
    >
      <ul aria-labelledby={id} className="divide-y">
        {fields.map((field, at) => (
          <FieldItem
            key={field.id}
            field={field}
            choicesMax={choicesMax}
            isFirst={at === 0}
            isLast={at === fields.length - 1}
          />
        ))}
      </ul>
    </ManagedList>
  );
}

type ItemProps = { field: CustomField; choicesMax: number; isFirst: boolean; isLast: boolean };

function FieldItem({ field, choicesMax, isFirst, isLast }: ItemProps) {
  const { id, name, subject, type, choices } = field;
  return (
    <li
      aria-labelledby={`field-${id}`}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 max-md:px-4"
    >
      <div className="grid min-w-0 grow basis-48 gap-0.5">
        <bdi id={`field-${id}`} className="font-medium [overflow-wrap:anywhere]">
          {name}
        </bdi>
        <p className="truncate text-ink-soft text-list">
          {TYPE_NAMES[type]}
          {type === 'choice' ? `: ${choices.map((choice) => choice.name).join(', ')}` : ''}
        </p>
      </div>
      <div className="-mr-3.5 flex flex-wrap items-center gap-1 max-sm:-ml-3.5">
        <MoveFieldButtons id={id} name={name} isFirst={isFirst} isLast={isLast} />
        <FieldDialog subject={subject} choicesMax={choicesMax} field={field} />
        <DeleteButton
          name={name}
          label={`the ${subject} field ${name}`}
          title={`Delete the ${subject} field ${name}?`}
          act={deleteField.bind(null, id)}
          variant="quiet"
        >
          <RemovedValues field={field} />
          <p>This can’t be undone.</p>
        </DeleteButton>
      </div>
    </li>
  );
}
