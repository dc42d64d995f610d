'use client';

import { useId } from 'react';
import { changeAssignee, changePriority, changeTeam } from '#app/components/inbox/field-changes.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { useOpenedChange, withValues } from '#app/components/inbox/use-opened-change.ts';
import { withCurrent } from '#app/components/inbox/with-current.ts';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { nameWithAway } from '#app/lib/away-words.ts';
import { PRIORITIES } from '#server/screens/inbox/filter-values.ts';
import type { ActionsView, ConversationView, Priority } from '#server/screens/inbox/views.ts';

type Props = {
  conversation: Pick<ConversationView, 'id' | 'assignee' | 'team' | 'priority'>;
  actions: Pick<ActionsView, 'me' | 'teammates' | 'teams'>;
};

/** Assignee, team and priority. Each change can be undone from its toast. */
export function ChangeFields({ conversation, actions: { me, teammates, teams } }: Props) {
  const { timeZone } = useNow();
  const { id, assignee, team, priority } = conversation;
  const priorities = PRIORITIES.map((one) => ({ id: one, name: priorityNames[one] }));
  return (
    <>
      <ChoiceField
        id={id}
        label="Assigned to"
        value={assignee?.id ?? ''}
        choices={withCurrent(teammates, assignee)}
        nameOf={(one) => {
          const away = teammates.find((teammate) => teammate.id === one.id)?.away;
          return nameWithAway({ name: one.id === me.id ? `${one.name} (you)` : one.name, away }, timeZone);
        }}
        none="Unassigned"
        show={(to) => ({ assignee: to?.id === me.id ? me : to })}
        onChoose={(to) => changeAssignee(id, to?.id === me.id ? me : to)}
      />
      <ChoiceField
        id={id}
        label="Team"
        value={team?.id ?? ''}
        choices={withCurrent(teams, team)}
        none="No team"
        show={(team) => ({ team })}
        onChoose={(to) => changeTeam(id, to)}
      />
      <ChoiceField
        id={id}
        label="Priority"
        value={priority}
        choices={priorities}
        show={(to) => ({ priority: readPriority(to?.id) })}
        onChoose={(to) => changePriority(id, readPriority(to?.id))}
      />
    </>
  );
}

type Choice = { id: string; name: string };

type FieldProps = {
  /** The conversation's id. */
  id: string;
  label: string;
  value: string;
  choices: Choice[];
  /** Label of a choice, by default its name. */
  nameOf?: (choice: Choice) => string;
  /** Label of the empty choice, where it is allowed. */
  none?: string;
  /** Returns the values to show. Null: the value is removed. */
  show: (to: Choice | null) => Partial<ConversationView>;
  /** Saves the choice. */
  onChoose: (to: Choice | null) => Promise<boolean>;
};

function ChoiceField(props: FieldProps) {
  const { id, label, value, choices, nameOf = (choice) => choice.name, none, show, onChoose } = props;
  const labelId = useId();
  const { change, isPending } = useOpenedChange(id);
  const choose = (chosen: string) => {
    const to = choices.find((choice) => choice.id === chosen) ?? null;
    change({ show: withValues(show(to)), save: () => onChoose(to) });
  };
  return (
    <div className="grid gap-1">
      <span id={labelId} className="text-ink-faint text-xs">
        {label}
      </span>
      <Select
        aria-labelledby={labelId}
        aria-busy={isPending}
        value={value}
        onChange={({ target }) => choose(target.value)}
        className="md:h-8 md:px-2.5 md:text-list"
      >
        {none ? <option value="">{none}</option> : null}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {nameOf(choice)}
          </option>
        ))}
      </Select>
    </div>
  );
}

function readPriority(value: string | undefined): Priority {
  return PRIORITIES.find((one) => one === value) ?? 'normal';
}
