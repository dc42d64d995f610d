'use client';

import { PenLine } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { whenIdle } from '#app/components/ui/when-idle.ts';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';

type Form = typeof import('#app/components/inbox/new-conversation-form.tsx').default;

/**
 * Opens the form for a new conversation, which is loaded when the page is idle. `/inbox?new=<email>` also opens it, with
 * the recipient filled in.
 */
export function NewConversationButton({ view }: { view: NewConversationView }) {
  const requested = useSearchParams().get('new');
  const [opened, setOpened] = useState(false);
  const [Form, setForm] = useState<Form | null>(null);
  const isWanted = opened || requested !== null;
  useEffect(() => {
    const load = async () => {
      const { default: loaded } = await import('#app/components/inbox/new-conversation-form.tsx');
      setForm(() => loaded);
    };
    if (!isWanted) return whenIdle(() => void load());
    void load();
    return undefined;
  }, [isWanted]);
  const onOpenChange = (open: boolean) => {
    setOpened(open);
    if (open || requested === null) return;
    // Remove the parameter from the URL, so that a reload does not reopen the form.
    const { pathname, searchParams } = new URL(window.location.href);
    searchParams.delete('new');
    window.history.replaceState(null, '', searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname);
  };
  return (
    <>
      <IconButton
        icon={PenLine}
        label="New conversation"
        data-shortcut="new-conversation"
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      />
      {Form ? (
        <Form view={view} toEmail={requested ?? ''} control={{ open: isWanted, onOpenChange }} />
      ) : null}
    </>
  );
}
