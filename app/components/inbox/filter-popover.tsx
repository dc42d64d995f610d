'use client';

import { ListFilter } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { useFilterChoices } from '#app/components/inbox/inbox-hooks.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { CountBadge, Popover } from '#app/components/ui/popover.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { filtersOf, type InboxView, inboxPath, parseInboxView } from '#app/lib/inbox-path.ts';
import type { FilterChoices } from '#server/screens/inbox/views.ts';

type Props = { view: InboxView; choices: Promise<FilterChoices> };

/** Filters by assignee, team, channel and tag. Each choice applies immediately. */
export function FilterPopover({ view, choices }: Props) {
  const { teams, teammates, tags } = useFilterChoices(choices);
  const [open, setOpen] = useState(false);
  const tagsId = useId();
  const { status, selected, search } = view;
  const { search: _search, ...filters } = filtersOf(view);
  const count = Object.keys(filters).length;

  const show = (next: InboxView) => {
    if (inboxPath(next) === inboxPath(view)) return;
    showInbox(inboxPath(next));
  };
  const apply = (form: HTMLFormElement) => {
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    show({ ...parseInboxView(given), reply: view.reply, unread: view.unread, status, selected, search });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
    setOpen(false);
  };
  const clear = () => {
    setOpen(false);
    show({ status, selected, search });
  };

  return (
    <Popover
      control={{ open, onOpenChange: setOpen }}
      trigger={
        <IconButton
          icon={ListFilter}
          label={count === 0 ? 'Filter' : `Filter, ${count} active`}
          className="size-9 border border-line-control max-md:size-11"
        />
      }
      badge={<CountBadge count={count} className="-top-1 -right-1" />}
      aria-label="Filter"
      align="end"
      className="z-40 w-72 overflow-y-auto p-4"
    >
      <form onSubmit={submit} className="grid gap-3">
        <Choice label="Assignee" name="assignee" value={view.assignee} apply={apply}>
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
    </Popover>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  value: string | undefined;
  apply: (form: HTMLFormElement) => void;
  children: ReactNode;
};

function Choice({ label, name, value, apply, children }: ChoiceProps) {
  return (
    <Field label={label}>
      {({ id }) => (
        <Select
          id={id}
          name={name}
          defaultValue={value ?? ''}
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
