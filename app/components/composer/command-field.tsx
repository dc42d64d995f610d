'use client';

import { useId } from 'react';
import { describeRuns } from '#app/components/composer/suggest-commands.ts';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';

type Props = {
  listened: ListenedCommands;
  value: string;
  onValue: (value: string) => void;
  problem: string | undefined;
  autoFocus: boolean;
};

/** Normalizes typed text to a command name: no leading `/`, lowercase. */
export function commandName(typed: string): string {
  return typed.trim().replace(/^\//, '').toLowerCase();
}

/** Selects one of the available commands, or accepts any name where a workflow listens for every command. */
export function CommandField({ listened, value, onValue, problem, autoFocus }: Props) {
  const listId = useId();
  const name = commandName(value);
  const { commands, any } = listened;
  const isListed = commands.some((command) => command.name === value);
  return (
    <Field
      label="Command"
      hint={name === '' ? 'Letters, digits, - and _.' : `${describeRuns(name, listened)}.`}
      problem={problem}
    >
      {({ id, describedBy, invalid }) => {
        const control = { id, 'aria-describedby': describedBy, 'aria-invalid': invalid, value, autoFocus };
        if (!any) {
          return (
            <Select {...control} onChange={(change) => onValue(change.target.value)}>
              {isListed ? null : <option value={value}>/{value}</option>}
              {commands.map((command) => (
                <option key={command.name} value={command.name}>
                  /{command.name}
                </option>
              ))}
            </Select>
          );
        }
        return (
          <>
            <Input
              {...control}
              onChange={(change) => onValue(change.target.value)}
              list={listId}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="refund"
            />
            <datalist id={listId}>
              {commands.map((command) => (
                <option key={command.name} value={command.name} />
              ))}
            </datalist>
          </>
        );
      }}
    </Field>
  );
}
