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
export const STATUSES = [
  { id: 'open', name: 'Open' },
  { id: 'pending', name: 'Pending' },
  { id: 'solved', name: 'Solved' },
  { id: 'closed', name: 'Closed' },
];
export const PRIORITIES = [
  { id: 'low', name: 'Low' },
  { id: 'normal', name: 'Normal' },
  { id: 'high', name: 'High' },
  { id: 'urgent', name: 'Urgent' },
];
