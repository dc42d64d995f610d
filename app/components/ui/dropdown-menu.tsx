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
import { loadedRadix, preloadHandlers, useRadix } from '#app/components/ui/use-radix.ts';
import { cx } from '#app/lib/cx.ts';

type MenuState = {
  open: boolean;
  setOpen: (open: boolean) => void;
  triggerId: string;
  contentId: string;
  triggerRef: RefObject<HTMLButtonElement | null>;
};

const MenuContext = createContext<MenuState | null>(null);

function useMenu(): MenuState {
  const menu = useContext(MenuContext);
  if (!menu) throw new Error('Menu components require DropdownMenu.');
  return menu;
}

/** A non-modal menu: the rest of the page stays reachable while it is open. */
export function DropdownMenu({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const triggerRef = useRef<HTMLButtonElement>(null);
  const [triggerId, contentId] = [useId(), useId()];
  const menu = useMemo(
    () => ({ open, setOpen, triggerId, contentId, triggerRef }),
    [open, triggerId, contentId],
  );
  return <MenuContext value={menu}>{children}</MenuContext>;
}

/** Opens the menu by pointer, Enter, space or the down arrow. */
export function DropdownMenuTrigger(props: ComponentProps<'button'>) {
  const { open, setOpen, triggerId, contentId, triggerRef } = useMenu();
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.ctrlKey) return;
    setOpen(!open);
    // Let the menu take the focus, not the button.
    if (!open) event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key !== 'Enter' && key !== ' ' && key !== 'ArrowDown') return;
    setOpen(key === 'ArrowDown' || !open);
    event.preventDefault();
  };
  return (
    <button
      type="button"
      {...preloadHandlers}
      {...props}
      ref={triggerRef}
      id={triggerId}
      aria-haspopup="menu"
      aria-expanded={open}
      aria-controls={open ? contentId : undefined}
      data-state={open ? 'open' : 'closed'}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}

/** Menu content, rendered in place rather than in a portal, so that it stays in its landmark. */
export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Menu.Content>) {
  const { open, setOpen, triggerId, contentId, triggerRef } = useMenu();
  const radix = useRadix(open, () => setOpen(false));
  // After an outside click, the focus stays where the user clicked.
  const clickedOutside = useRef(false);
  if (!radix) return null;
  return (
    <radix.Menu.Root open={open} onOpenChange={setOpen} modal={false}>
      <radix.Menu.Anchor virtualRef={triggerRef as { current: HTMLElement }} />
      <radix.Menu.Content
        id={contentId}
        aria-labelledby={triggerId}
        sideOffset={6}
        collisionPadding={8}
        className={cx('menu', className)}
        onInteractOutside={() => {
          clickedOutside.current = true;
        }}
        onCloseAutoFocus={(event) => {
          if (!clickedOutside.current) triggerRef.current?.focus();
          clickedOutside.current = false;
          event.preventDefault();
        }}
        {...rest}
      />
    </radix.Menu.Root>
  );
}

const itemClass = cx(
  'relative flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 text-list outline-none',
  'data-[highlighted]:bg-hover max-md:min-h-11',
);

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Menu.RadioGroup>) {
  const { Menu: Radix } = loadedRadix();
  return <Radix.RadioGroup {...props} />;
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  const { Menu: Radix } = loadedRadix();
  return (
    <Radix.Label className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">{children}</Radix.Label>
  );
}

export function DropdownMenuSeparator() {
  const { Menu: Radix } = loadedRadix();
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Menu.Item>) {
  const { Menu: Radix } = loadedRadix();
  return <Radix.Item className={cx(itemClass, className)} {...rest} />;
}

export function DropdownMenuRadioItem({
  children,
  className,
  ...rest
}: ComponentProps<typeof Menu.RadioItem>) {
  const { Menu: Radix } = loadedRadix();
  return (
    <Radix.RadioItem className={cx(itemClass, 'pr-8', className)} {...rest}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden size={16} className="text-accent-ink" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}
