'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { showInbox } from '#app/components/inbox/show-inbox.ts';

type Props = ComponentProps<'a'> & { href: string };

/** A link from one view of the inbox to another, which it shows at once. Without scripts, or in a new tab, it is any link. */
export function InboxLink({ href, onClick, ...props }: Props) {
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !opensHere(event)) return;
        event.preventDefault();
        showInbox(href);
      }}
    />
  );
}

/** A click or Enter that opens the link here, not in a tab or window of its own, and does not save it. */
function opensHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
