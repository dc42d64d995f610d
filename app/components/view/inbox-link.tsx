'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { showInbox } from '#app/components/view/show-inbox.ts';

type Props = ComponentProps<'a'> & {
  href: string;
  /** Returns the view to show, by default that of `href`. */
  pathNow?: () => string;
};

/** Link to another view of the inbox, shown without a page request. Without scripts or in a new tab, a plain link. */
export function InboxLink({ href, pathNow = () => href, onClick, ...props }: Props) {
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !opensHere(event)) return;
        event.preventDefault();
        showInbox(pathNow());
      }}
    />
  );
}

/** Returns whether a click or Enter opens the link in this tab. */
function opensHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
