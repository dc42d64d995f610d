'use client';

import { ArrowLeft } from 'lucide-react';
import { InboxLink } from '#app/components/inbox/inbox-link.tsx';
import { useInboxView } from '#app/components/inbox/use-inbox-view.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';

/** Leads from a conversation back to the list as it is shown, where there is room for one pane only. */
export function BackToList() {
  const view = useInboxView();
  return (
    <InboxLink
      href={inboxPath({ ...view, selected: undefined })}
      aria-label="Back to list"
      data-shortcut="back"
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-hover lg:hidden"
    >
      <ArrowLeft aria-hidden size={20} strokeWidth={1.75} />
    </InboxLink>
  );
}
