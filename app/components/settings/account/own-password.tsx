import type { ComponentProps } from 'react';
import { TextField } from '#app/components/ui/text-field.tsx';

/** Field for the teammate's password, which confirms a change of their account. */
export function OwnPassword(props: Pick<ComponentProps<typeof TextField>, 'state' | 'required'>) {
  return (
    <TextField
      {...props}
      name="password"
      label="Your password"
      type="password"
      autoComplete="current-password"
    />
  );
}
