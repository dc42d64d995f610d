import type { ComponentProps } from 'react';
import { type ButtonVariant, buttonClass } from '#app/components/ui/button-class.ts';

type Props = ComponentProps<'button'> & { kind?: ButtonVariant };

/** A button; of type `button` unless told otherwise, so that none submits a form by accident. */
export function Button({ kind = 'secondary', type = 'button', className, ...rest }: Props) {
  return <button type={type} className={buttonClass(kind, className)} {...rest} />;
}
