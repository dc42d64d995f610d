import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = ComponentProps<'button'> & { variant?: ButtonVariant };

/** A button; its type is `button` unless set, so that none submits a form by accident. */
export function Button({ variant = 'secondary', type = 'button', className, ...rest }: Props) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />;
}

/** `primary`: the one next step. `danger`: what cannot be undone. `quiet`: a control that is not a step. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

/** The look of a button, for real buttons and for links that are the next step. */
export function buttonClass(variant: ButtonVariant, more?: string): string {
  return cx('button', `button-${variant}`, more);
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string };

/** A button that shows an icon and says its name to those who cannot see it. */
export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} className={cx('icon-button', className)} {...rest}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </button>
  );
}
