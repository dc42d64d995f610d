import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = ComponentProps<'button'> & { variant?: ButtonVariant };

/** A button with type `button` by default, so that it never submits a form by accident. */
export function Button({ variant = 'secondary', type = 'button', className, ...rest }: Props) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />;
}

/** `primary`: the next step. `danger`: irreversible. `quiet`: a secondary control. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

/** Returns the classes of a button, for buttons and links. */
export function buttonClass(variant: ButtonVariant, more?: string): string {
  return cx('button', `button-${variant}`, more);
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string };

/** Icon button with an accessible name. */
export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={cx('icon-button', className)} {...rest}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </button>
  );
}
