'use client';

import { PenLine } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { NewConversationForm } from '#app/components/inbox/new-conversation-form.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';
import { IconButton } from '#app/components/ui/icon-button.tsx';
import type { NewConversationView } from '#server/screens/inbox/views.ts';

/** Opens the form of a new conversation; the address `/inbox?new=<email>` opens it too, for that contact. */
export function NewConversationButton({ view }: { view: NewConversationView }) {
  const asked = useSearchParams().get('new');
  const [opened, setOpened] = useState(false);
  const onOpenChange = (open: boolean) => {
    setOpened(open);
    if (open || asked === null) return;
    // The page stays as it is, and is not opened again with the form when it is loaded again.
    const { pathname, searchParams } = new URL(window.location.href);
    searchParams.delete('new');
    window.history.replaceState(null, '', searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname);
  };
  return (
    <Dialog
      trigger={<IconButton icon={PenLine} label="New conversation" data-shortcut="new-conversation" />}
      control={{ open: opened || asked !== null, onOpenChange }}
      title="New conversation"
      description="An email from your team. The contact’s replies appear in the inbox."
    >
      <NewConversationForm view={view} toEmail={asked ?? ''} onDone={() => setOpened(false)} />
    </Dialog>
  );
}
