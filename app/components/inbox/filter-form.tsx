'use client';

import { type FormEvent, type ReactNode, useId } from 'react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { FieldFilters } from '#app/components/inbox/field-filters.tsx';
import {
  ageNames,
  replyNames,
  slaNames,
  unlistedNames,
  verifiedNames,
} from '#app/components/inbox/filter-names.ts';
import { useFilterChoices } from '#app/components/inbox/inbox-hooks.ts';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { withCurrent } from '#app/components/inbox/with-current.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Checkbox } from '#app/components/ui/checkbox.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { filtersOf, type InboxView, inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';
import { PRIORITIES } from '#server/screens/inbox/filter-values.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

type Props = { view: InboxView; choices: Promise<FilterChoices>; onDone: () => void };

/** All filters of the inbox, except the status and the search. Each choice applies immediately. */
export function FilterForm({ view, choices, onDone }: Props) {
  const { teams, teammates, tags } = useFilterChoices(choices);
  const tagsId = useId();
  const { status, selected, sort, search, snoozed, fields } = view;
  const { search: _search, ...filters } = filtersOf(view);
  const count = Object.keys(filters).length;

  const show = (next: InboxView) => {
    if (inboxPath(next) === inboxPath(view)) return;
    showInbox(inboxPath(next));
  };
  const apply = (form: HTMLFormElement) => {
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    show({ ...parseInboxView(given), snoozed, fields, status, selected, sort, search });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
    onDone();
  };
  const clear = () => {
    onDone();
    show({ status, selected, sort, search });
  };

  const filtered = (name: 'assignee' | 'team') =>
    view[name] === undefined ? null : { id: view[name], name: unlistedNames[name] };

  return (
    <form onSubmit={submit} className="grid grid-cols-2 gap-3">
      {/* The panel opens before this form is loaded, and had nothing else to focus. */}
      <Choice label="Assignee" name="assignee" value={view.assignee} apply={apply} autoFocus>
        <option value="">Anyone</option>
        <Options all={withCurrent([...OTHER_ASSIGNEES, ...teammates], filtered('assignee'))} />
      </Choice>
      <Choice label="Team" name="team" value={view.team} apply={apply}>
        <option value="">Any team</option>
        <Options all={withCurrent(teams, filtered('team'))} />
      </Choice>
      <Choice label="Channel" name="channel" value={view.channel} apply={apply}>
        <option value="">Any channel</option>
        <Options all={Object.entries(channels).map(([id, { name }]) => ({ id, name }))} />
      </Choice>
      <Choice label="Priority" name="priority" value={view.priority} apply={apply}>
        <option value="">Any priority</option>
        <Options all={PRIORITIES.map((id) => ({ id, name: priorityNames[id] }))} />
      </Choice>
      <Choice label="SLA target" name="sla" value={view.sla} apply={apply}>
        <option value="">Any</option>
        <NamedOptions names={slaNames} />
      </Choice>
      <Choice label="Contact’s address" name="verified" value={view.verified} apply={apply}>
        <option value="">Any</option>
        <NamedOptions names={verifiedNames} />
      </Choice>
      <Choice label="Last message" name="active" value={view.active} apply={apply}>
        <option value="">Any time</option>
        <NamedOptions names={ageNames} />
      </Choice>
      <Choice label="Created" name="created" value={view.created} apply={apply}>
        <option value="">Any time</option>
        <NamedOptions names={ageNames} />
      </Choice>
      <Choice label="Reply" name="reply" value={view.reply} apply={apply}>
        <option value="">Any</option>
        <NamedOptions names={replyNames} />
      </Choice>
      <div className="col-span-full">
        <Field label="Tag">
          {({ id }) => (
            <Input
              id={id}
              name="tag"
              list={tagsId}
              defaultValue={view.tag ?? ''}
              maxLength={40}
              autoComplete="off"
              placeholder="Any tag"
              onBlur={({ currentTarget: { form } }) => form && apply(form)}
            />
          )}
        </Field>
        <datalist id={tagsId}>
          {tags.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      </div>
      <FieldFilters shown={fields} apply={(conditions) => show({ ...view, fields: conditions })} />
      <Toggle label="Unread" name="unread" value="yes" isOn={view.unread !== undefined} apply={apply} />
      <div className="col-span-full flex justify-between gap-2">
        <Button variant="quiet" aria-disabled={count === 0} onClick={clear}>
          Clear
        </Button>
        <Button type="submit">Done</Button>
      </div>
    </form>
  );
}

const OTHER_ASSIGNEES = [
  { id: 'me', name: 'Me' },
  { id: 'unassigned', name: 'Unassigned' },
];

type ToggleProps = {
  label: string;
  name: string;
  value: string;
  isOn: boolean;
  apply: (form: HTMLFormElement) => void;
};

function Toggle({ isOn, apply, ...props }: ToggleProps) {
  return (
    <Checkbox
      {...props}
      defaultChecked={isOn}
      onChange={({ currentTarget: { form } }) => form && apply(form)}
    />
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  value: string | undefined;
  apply: (form: HTMLFormElement) => void;
  autoFocus?: boolean;
  children: ReactNode;
};

function Choice({ label, name, value, apply, autoFocus, children }: ChoiceProps) {
  return (
    <Field label={label}>
      {({ id }) => (
        <Select
          id={id}
          name={name}
          defaultValue={value ?? ''}
          autoFocus={autoFocus}
          onChange={({ currentTarget: { form } }) => form && apply(form)}
        >
          {children}
        </Select>
      )}
    </Field>
  );
}

type Named = { id: string; name: string };

function Options({ all }: { all: Named[] }) {
  return all.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}

function NamedOptions({ names }: { names: Record<string, string> }) {
  return <Options all={Object.entries(names).map(([id, name]) => ({ id, name }))} />;
}
