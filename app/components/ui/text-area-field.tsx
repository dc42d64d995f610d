import type { ComponentProps } from 'react';
import { Field } from '#app/components/ui/field.tsx';
import { Textarea } from '#app/components/ui/textarea.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = Omit<ComponentProps<'textarea'>, 'id' | 'name'> & {
  state: FormState;
  name: string;
  label: string;
  hint?: string;
};

/** A field for a longer text of a form: after a refusal it holds what was typed, and says what is wrong with it. */
export function TextAreaField({ state, name, label, hint, defaultValue, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {({ id, describedBy, invalid }) => (
        <Textarea
          // The browser empties a form that was sent, so the field is drawn anew with its value.
          key={state.attempt}
          id={id}
          name={name}
          defaultValue={state.values[name] ?? defaultValue}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          {...rest}
        />
      )}
    </Field>
  );
}
