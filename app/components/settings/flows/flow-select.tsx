import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = {
  state: FormState;
  name: string;
  label: string;
  /** Label of the empty option. */
  none: string;
  /** Label of a chosen value that no longer exists. */
  missing: string;
  options: { id: string; name: string }[];
  /** An id, or empty for none. */
  chosen: string;
};

/** Select with an empty option. A chosen value that no longer exists stays until it is replaced. */
export function FlowSelect({ state, name, label, none, missing, options, chosen }: Props) {
  const isMissing = chosen !== '' && !options.some(({ id }) => id === chosen);
  return (
    <Field label={label} problem={state.fields[name]}>
      {(control) => (
        <Select key={state.attempt} {...fieldProps(control, { state, name, defaultValue: chosen })}>
          <option value="">{none}</option>
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
