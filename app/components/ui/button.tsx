import type { ComponentProps } from 'react';
import { type ButtonVariant, buttonClass } from '#app/components/ui/button-class.ts';

type Props = ComponentProps<'button'> & { variant?: ButtonVariant };

/** A button; its type is `button` unless set, so that none submits a form by accident. */
export function Button({ variant = 'secondary', type = 'button', className, ...rest }: Props) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />;
}
