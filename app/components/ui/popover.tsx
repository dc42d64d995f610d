'use client';

import type { Popover as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useRadixOnceOpen } from '#app/components/ui/use-radix.ts';
import { returnFocusTo, useTrigger } from '#app/components/ui/use-trigger.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof Radix.Content>, 'sideOffset' | 'collisionPadding'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  trigger: ReactNode;
  /** Shown on the button, for example a `CountBadge`. */
  badge?: ReactNode;
  'aria-label': string;
};

/** Non-modal panel next to its button. */
export function Popover(props: Props) {
  const { control, trigger, badge, className, onInteractOutside, onCloseAutoFocus, ...content } = props;
  const { open, onOpenChange } = control;
  const radix = useRadixOnceOpen(open, () => onOpenChange(false));
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange });
  // After an outside click, the focus stays where the user clicked.
  const clickedOutside = useRef(false);
  return (
    <>
      <span className="relative inline-flex">
        {button}
        {badge}
      </span>
      {radix ? (
        <radix.Popover.Root open={open} onOpenChange={onOpenChange}>
          <radix.Popover.Anchor virtualRef={triggerRef as { current: HTMLElement }} />
          <radix.Popover.Content
            id={contentId}
            sideOffset={6}
            collisionPadding={8}
            className={cx('popover', className)}
            {...content}
            onInteractOutside={(event) => {
              onInteractOutside?.(event);
              // The trigger itself closes the popover.
              if (event.target instanceof Node && triggerRef.current?.contains(event.target))
                event.preventDefault();
              else if (!event.defaultPrevented) clickedOutside.current = true;
            }}
            onCloseAutoFocus={(event) => {
              onCloseAutoFocus?.(event);
              if (clickedOutside.current) event.preventDefault();
              else returnFocusTo(triggerRef)(event);
              clickedOutside.current = false;
            }}
          />
        </radix.Popover.Root>
      ) : null}
    </>
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
