'use client';

import {
  cloneElement,
  isValidElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
} from 'react';
import { kitAhead } from '#app/components/ui/use-kit.ts';

type TriggerProps = { ref?: unknown; onClick?: ((click: MouseEvent) => void) | undefined };

type Given = { trigger?: ReactNode; open: boolean; onOpenChange: (open: boolean) => void };

/** The button that opens a dialog or a panel, and what the dialog must know of it. */
type Triggered = {
  button: ReactNode;
  /** Of what it opens. */
  contentId: string;
  triggerRef: RefObject<HTMLElement | null>;
};

/**
 * Makes an element the button of a dialog or a panel: it opens and closes it, and says whether it is open. Works before what
 * draws the dialog is loaded.
 * @param given.trigger an element that takes the attributes of a button
 */
export function useTrigger({ trigger, open, onOpenChange }: Given): Triggered {
  const triggerRef = useRef<HTMLElement>(null);
  const contentId = useId();
  if (!isValidElement(trigger)) return { button: null, contentId, triggerRef };
  const element = trigger as ReactElement<TriggerProps>;
  const button = cloneElement(element, {
    ...kitAhead,
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

/** Where the focus goes when a dialog closes: to its button, if it has one. */
export function backTo(triggerRef: RefObject<HTMLElement | null>) {
  return (event: Event) => {
    if (event.defaultPrevented || !triggerRef.current) return;
    event.preventDefault();
    triggerRef.current.focus();
  };
}
