'use client';

import type { Popover as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useKitOnceOpen } from '#app/components/ui/use-kit.ts';
import { backTo, useTrigger } from '#app/components/ui/use-trigger.tsx';
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
export function Popover(props: Props) {
  const { control, trigger, badge, className, onInteractOutside, onCloseAutoFocus, ...content } = props;
  const { open, onOpenChange } = control;
  const kit = useKitOnceOpen(open, () => onOpenChange(false));
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange });
  // Who went elsewhere stays there.
  const wentElsewhere = useRef(false);
  return (
    <>
      <span className="relative inline-flex">
        {button}
        {badge}
      </span>
      {kit ? (
        <kit.Popover.Root open={open} onOpenChange={onOpenChange}>
          <kit.Popover.Anchor virtualRef={triggerRef as { current: HTMLElement }} />
          <kit.Popover.Content
            id={contentId}
            sideOffset={6}
            collisionPadding={8}
            className={cx('popover', className)}
            {...content}
            onInteractOutside={(event) => {
              onInteractOutside?.(event);
              // Its button closes it itself.
              if (event.target instanceof Node && triggerRef.current?.contains(event.target))
                event.preventDefault();
              else if (!event.defaultPrevented) wentElsewhere.current = true;
            }}
            onCloseAutoFocus={(event) => {
              onCloseAutoFocus?.(event);
              if (wentElsewhere.current) event.preventDefault();
              else backTo(triggerRef)(event);
              wentElsewhere.current = false;
            }}
          />
        </kit.Popover.Root>
      ) : null}
    </>
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
