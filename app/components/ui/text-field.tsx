import type { ComponentProps } from 'react';
import { Field, fieldProps } from '#app/components/ui/field.tsx';
import { Input, Textarea } from '#app/components/ui/input.tsx';
import type { FormState } from '#app/lib/form-state.ts';

type Props = Omit<ComponentProps<'input'>, 'id' | 'name'> & {
  state: FormState;
  name: string;
  label: string;
  hint?: string | undefined;
};

/** Text field that shows the submitted value and error after a refusal. */
export function TextField({ state, name, label, hint, defaultValue, ...rest }: Props) {
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {(control) => (
        <Input key={state.attempt} {...fieldProps(control, { state, name, defaultValue })} {...rest} />
      )}
    </Field>
  );
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'name'> & {
  state: FormState;
  name: string;
  label: string;
  hint?: string;
};

/** Multi-line variant of `TextField`. */
export function TextAreaField({ state, name, label, hint, defaultValue, ...rest }: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} problem={state.fields[name]}>
      {(control) => (
        <Textarea key={state.attempt} {...fieldProps(control, { state, name, defaultValue })} {...rest} />
      )}
    </Field>
  );
}
