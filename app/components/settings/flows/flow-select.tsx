import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = {
  state: FormState;
  name: string;
  label: string;
  /** What choosing nothing is called. */
  none: string;
  /** What the chosen one is called when it is no option any more. */
  gone: string;
  options: { id: string; name: string }[];
  /** An id, or empty for nothing. */
  chosen: string;
};

/** One of several, or nothing. What was chosen once and is gone stays to be seen until another is chosen. */
export function FlowSelect({ state, name, label, none, gone, options, chosen }: Props) {
  const isGone = chosen !== '' && !options.some(({ id }) => id === chosen);
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
          {isGone ? <option value={chosen}>{gone}</option> : null}
        </Select>
      )}
    </Field>
  );
}
