'use client';

import {
  cloneElement,
  isValidElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { preloadHandlers } from '#app/components/ui/use-radix.ts';

type TriggerProps = { ref?: unknown; onClick?: ((click: MouseEvent) => void) | undefined };

type Options = { trigger?: ReactNode; open: boolean; onOpenChange: (open: boolean) => void };

type Trigger = {
  button: ReactNode;
  /** Id for the opened element. */
  contentId: string;
  triggerRef: RefObject<HTMLElement | null>;
};

/**
 * Turns an element into the trigger of a dialog or popover, with its ARIA state. Works before the overlay code is
 * loaded.
 * @param options.trigger an element that accepts button props
 */
export function useTrigger({ trigger, open, onOpenChange }: Options): Trigger {
  const triggerRef = useRef<HTMLElement>(null);
  const contentId = useId();
  const hasTrigger = isValidElement(trigger);
  useLayoutEffect(() => {
    // The overlay moves the focus later, in an effect.
    const focused = document.activeElement;
    if (!open || hasTrigger || !(focused instanceof HTMLElement)) return;
    // A menu closes when one of its items opens the overlay, so the focus returns to the menu's button.
    const menuButtonId = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
    triggerRef.current = document.getElementById(menuButtonId ?? '') ?? focused;
  }, [open, hasTrigger]);
  if (!isValidElement(trigger)) return { button: null, contentId, triggerRef };
  const element = trigger as ReactElement<TriggerProps>;
  const button = cloneElement(element, {
    ...preloadHandlers,
    ref: triggerRef,
    'aria-haspopup': 'dialog',
    'aria-expanded': open,
    'aria-controls': open ? contentId : undefined,
    onClick: (click: MouseEvent) => {
      element.props.onClick?.(click);
      if (!click.defaultPrevented) onOpenChange(!open);
    },
  } as TriggerProps);
  return { button, contentId, triggerRef };
}

/** Returns a close handler that moves the focus back to the trigger, or to the element that was focused before. */
export function returnFocusTo(triggerRef: RefObject<HTMLElement | null>) {
  return (event: Event) => {
    if (event.defaultPrevented || !triggerRef.current) return;
    event.preventDefault();
    triggerRef.current.focus();
  };
}
