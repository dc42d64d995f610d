import type { ComponentProps } from 'react';
import { Field } from '#app/components/ui/field.tsx';
import { Select } from '#app/components/ui/select.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = Omit<ComponentProps<'select'>, 'id' | 'name'> & {
  state: FormState;
  name: string;
  label: string;
  hint?: string | undefined;
};

/** Select with a label that shows the error after a refusal. */
export function SelectField({ state, name, label, hint, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {({ id, describedBy, invalid }) => (
        <Select id={id} name={name} aria-describedby={describedBy} aria-invalid={invalid} {...rest} />
      )}
    </Field>
  );
}
