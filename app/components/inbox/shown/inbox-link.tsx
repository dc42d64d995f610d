'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import { showInbox } from '#app/components/inbox/shown/show-inbox.ts';

type Props = Omit<ComponentProps<typeof Link>, 'href' | 'prefetch' | 'scroll' | 'onNavigate'> & {
  href: string;
};

/** A link from one view of the inbox to another, which it shows at once. Without scripts, or in a new tab, it is any link. */
export function InboxLink({ href, ...props }: Props) {
  return (
    <Link
      {...props}
      href={href}
      prefetch={false}
      scroll={false}
      onNavigate={(event) => {
        event.preventDefault();
        showInbox(href);
      }}
    />
  );
}
