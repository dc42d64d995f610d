import { cx } from '#app/lib/cx.ts';

/** `primary`: the one next step. `danger`: what cannot be undone. `quiet`: a control that is not a step. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line-control bg-surface text-ink hover:bg-hover',
  danger: 'border-transparent bg-danger text-on-accent hover:bg-danger-strong',
  quiet: 'border-transparent text-ink-soft hover:bg-hover hover:text-ink',
};

/** The look of a button, for real buttons and for links that are the next step. */
export function buttonClass(variant: ButtonVariant, more?: string): string {
  return cx(
    'inline-flex h-9 items-center justify-center gap-2 rounded-lg border px-3.5 text-sm font-medium whitespace-nowrap',
    'transition-colors disabled:opacity-60 max-md:h-11',
    VARIANTS[variant],
    more,
  );
}
