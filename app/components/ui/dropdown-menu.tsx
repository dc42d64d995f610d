'use client';

import type * as Menu from '@radix-ui/react-menu';
import { Check } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { kitAhead, loadedKit, useKit } from '#app/components/ui/use-kit.ts';
import { cx } from '#app/lib/cx.ts';

type Opened = {
  open: boolean;
  setOpen: (open: boolean) => void;
  triggerId: string;
  contentId: string;
  triggerRef: RefObject<HTMLButtonElement | null>;
};

const OpenedContext = createContext<Opened | null>(null);

function useOpened(): Opened {
  const opened = useContext(OpenedContext);
  if (!opened) throw new Error('A part of a menu is drawn below DropdownMenu.');
  return opened;
}

/** A menu: its button and what it holds. The rest of the page stays readable and reachable while it is open. */
export function DropdownMenu({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [triggerId, contentId] = [useId(), useId()];
  const opened = useMemo(
    () => ({ open, setOpen, triggerId, contentId, triggerRef }),
    [open, triggerId, contentId],
  );
  return <OpenedContext value={opened}>{children}</OpenedContext>;
}

/** The button that opens a menu: when it is pressed, or by Enter, space and the arrow down. */
export function DropdownMenuTrigger(props: ComponentProps<'button'>) {
  const { open, setOpen, triggerId, contentId, triggerRef } = useOpened();
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || event.ctrlKey) return;
    setOpen(!open);
    // The focus goes to what opens, not to the button.
    if (!open) event.preventDefault();
  };
  const type = (event: KeyboardEvent) => {
    const { key } = event;
    if (key !== 'Enter' && key !== ' ' && key !== 'ArrowDown') return;
    setOpen(key === 'ArrowDown' || !open);
    event.preventDefault();
  };
  return (
    <button
      type="button"
      {...kitAhead}
      {...props}
      ref={triggerRef}
      id={triggerId}
      aria-haspopup="menu"
      aria-expanded={open}
      aria-controls={open ? contentId : undefined}
      data-state={open ? 'open' : 'closed'}
      onPointerDown={press}
      onKeyDown={type}
    />
  );
}

/** What it holds; drawn in place, so that it belongs to the part of the page its button is in. */
export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Menu.Content>) {
  const { open, setOpen, triggerId, contentId, triggerRef } = useOpened();
  const kit = useKit(open, () => setOpen(false));
  // Who went elsewhere stays there.
  const wentElsewhere = useRef(false);
  if (!kit) return null;
  return (
    <kit.Menu.Root open={open} onOpenChange={setOpen} modal={false}>
      <kit.Menu.Anchor virtualRef={triggerRef as { current: HTMLElement }} />
      <kit.Menu.Content
        id={contentId}
        aria-labelledby={triggerId}
        sideOffset={6}
        collisionPadding={8}
        className={cx('menu', className)}
        onInteractOutside={() => {
          wentElsewhere.current = true;
        }}
        onCloseAutoFocus={(event) => {
          if (!wentElsewhere.current) triggerRef.current?.focus();
          wentElsewhere.current = false;
          event.preventDefault();
        }}
        {...rest}
      />
    </kit.Menu.Root>
  );
}

const itemClass = cx(
  'relative flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 text-list outline-none',
  'data-[highlighted]:bg-hover max-md:min-h-11',
);

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Menu.RadioGroup>) {
  const { Menu: Radix } = loadedKit();
  return <Radix.RadioGroup {...props} />;
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  const { Menu: Radix } = loadedKit();
  return (
    <Radix.Label className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">{children}</Radix.Label>
  );
}

export function DropdownMenuSeparator() {
  const { Menu: Radix } = loadedKit();
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Menu.Item>) {
  const { Menu: Radix } = loadedKit();
  return <Radix.Item className={cx(itemClass, className)} {...rest} />;
}

/** One of several, the chosen one ticked. */
export function DropdownMenuRadioItem({
  children,
  className,
  ...rest
}: ComponentProps<typeof Menu.RadioItem>) {
  const { Menu: Radix } = loadedKit();
  return (
    <Radix.RadioItem className={cx(itemClass, 'pr-8', className)} {...rest}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden size={16} className="text-accent-ink" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}
