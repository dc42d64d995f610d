'use client';

import { type FormEvent, type ReactNode, useId } from 'react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { useFilterChoices } from '#app/components/inbox/inbox-hooks.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { filtersOf, type InboxView, inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

type Props = { view: InboxView; choices: Promise<FilterChoices>; onDone: () => void };

/** Filters by assignee, team, channel and tag. Each choice applies immediately. */
export default function FilterForm({ view, choices, onDone }: Props) {
  const { teams, teammates, tags } = useFilterChoices(choices);
  const tagsId = useId();
  const { status, selected, sort, search, reply, unread, snoozed } = view;
  const { search: _search, ...filters } = filtersOf(view);
  const count = Object.keys(filters).length;

  const show = (next: InboxView) => {
    if (inboxPath(next) === inboxPath(view)) return;
    showInbox(inboxPath(next));
  };
  const apply = (form: HTMLFormElement) => {
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    show({ ...parseInboxView(given), reply, unread, snoozed, status, selected, sort, search });
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

  return (
    <form onSubmit={submit} className="grid gap-3">
      {/* The panel opens before this form is loaded, and had nothing else to focus. */}
      <Choice label="Assignee" name="assignee" value={view.assignee} apply={apply} autoFocus>
        <option value="">Anyone</option>
        <option value="me">Me</option>
        <option value="unassigned">Unassigned</option>
        <Options all={teammates} />
      </Choice>
      <Choice label="Team" name="team" value={view.team} apply={apply}>
        <option value="">Any team</option>
        <Options all={teams} />
      </Choice>
      <Choice label="Channel" name="channel" value={view.channel} apply={apply}>
        <option value="">Any channel</option>
        <Options all={Object.entries(channels).map(([id, { name }]) => ({ id, name }))} />
      </Choice>
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
      <div className="flex justify-between gap-2">
        <Button variant="quiet" aria-disabled={count === 0} onClick={clear}>
          Clear
        </Button>
        <Button type="submit">Done</Button>
      </div>
    </form>
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

function Options({ all }: { all: { id: string; name: string }[] }) {
  return all.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
