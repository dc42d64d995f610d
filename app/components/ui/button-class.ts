import { cx } from '#app/lib/cx.ts';

/** `primary`: the one next step. `danger`: what cannot be undone. `quiet`: a control that is not a step. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

/** The look of a button, for real buttons and for links that are the next step. */
export function buttonClass(variant: ButtonVariant, more?: string): string {
  return cx('button', `button-${variant}`, more);
}
