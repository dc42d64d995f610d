'use client';

import { Popover as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof Radix.Content>, 'sideOffset' | 'collisionPadding'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  trigger: ReactNode;
  /** Shown on the button, for example a `CountBadge`. */
  badge?: ReactNode;
  'aria-label': string;
};

/** Non-modal panel next to its button. */
export function Popover({ control, trigger, badge, className, ...content }: Props) {
  return (
    <Radix.Root {...control}>
      <span className="relative inline-flex">
        <Radix.Trigger asChild>{trigger}</Radix.Trigger>
        {badge}
      </span>
      <Radix.Content sideOffset={6} collisionPadding={8} className={cx('popover', className)} {...content} />
    </Radix.Root>
  );
}

type BadgeProps = { count: number; max?: number; className: string };

/** Number on a button's corner, hidden for zero. Decorative, because the button's label contains the number. */
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
