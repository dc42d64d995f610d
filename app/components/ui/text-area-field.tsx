import type { ComponentProps } from 'react';
import { Field } from '#app/components/ui/field.tsx';
import { fieldProps } from '#app/components/ui/field-props.ts';
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
      {(control) => (
        <Textarea key={state.attempt} {...fieldProps(control, { state, name, defaultValue })} {...rest} />
      )}
    </Field>
  );
}
