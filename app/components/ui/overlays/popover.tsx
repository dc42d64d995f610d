'use client';

import { Popover as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof Radix.Content>, 'sideOffset' | 'collisionPadding'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  /** The button that opens it. */
  trigger: ReactNode;
  /** Shown at the button, for example a `CountBadge`. */
  badge?: ReactNode;
  'aria-label': string;
};

/** A small panel at the button that opens it; the rest of the page stays in reach. */
export function Popover({ control, trigger, badge, className, ...content }: Props) {
  return (
    <Radix.Root open={control.open} onOpenChange={control.onOpenChange}>
      <span className="relative inline-flex">
        <Radix.Trigger asChild>{trigger}</Radix.Trigger>
        {badge}
      </span>
      <Radix.Content sideOffset={6} collisionPadding={8} className={cx('popover', className)} {...content} />
    </Radix.Root>
  );
}

type BadgeProps = { count: number; max?: number; className: string };

/** A number at the corner of a button, drawn for the eye: the button's label says it too. Nothing for zero. */
export function CountBadge({ count, max = Number.POSITIVE_INFINITY, className }: BadgeProps) {
  if (count === 0) return null;
  return (
    <span
      aria-hidden
      className={cx(
        'tabular pointer-events-none absolute flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-[0.625rem] text-on-accent leading-none',
        className,
      )}
    >
      {count > max ? `${max}+` : count}
    </span>
  );
}
