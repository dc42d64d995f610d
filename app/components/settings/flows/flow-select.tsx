import { statusNames } from '#app/components/conversations/conversation-status-dot.tsx';
import { priorityNames } from '#app/components/inbox/priority-names.ts';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type FlowSelectProps = {
  state: FormState;
  name: string;
  label: string;
  /** Label of the empty option. Without it, one must be chosen. */
  none?: string;
  /** Label of a chosen value that no longer exists. */
  missing?: string;
  options: { id: string; name: string }[];
  /** An id, or empty for none. */
  chosen: string;
};

/** Select of a flow’s form. A chosen value that no longer exists stays until it is replaced. */
export function FlowSelect({ state, name, label, none, missing, options, chosen }: FlowSelectProps) {
  const isMissing = chosen !== '' && !options.some(({ id }) => id === chosen);
  return (
    <Field label={label} problem={state.fields[name]}>
      {(control) => (
        <Select key={state.attempt} {...fieldProps(control, { state, name, defaultValue: chosen })}>
          {none === undefined ? null : <option value="">{none}</option>}
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
          {isMissing ? <option value={chosen}>{missing}</option> : null}
        </Select>
      )}
    </Field>
  );
}

/** Options of the statuses and of the priorities. */
export const STATUSES = optionsOf(statusNames);
export const PRIORITIES = optionsOf(priorityNames);

function optionsOf(names: Record<string, string>) {
  return Object.entries(names).map(([id, name]) => ({ id, name }));
}
