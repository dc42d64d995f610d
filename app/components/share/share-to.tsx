'use client';

import { Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { openShared, type SharedContent } from '#app/components/drafts/shared-content.ts';
import { ShareForm } from '#app/components/share/share-form.tsx';
import { registerServiceWorker } from '#app/components/shell/installed-app.ts';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';

/** Why there is nothing to share. `not_ready` comes from the server, `too_large` and `not_stored` from the service worker. */
const PROBLEMS = {
  none: [
    'Nothing to share',
    'Share a file or a text from another app on this device. It stays here for an hour, for the teammate who opened it.',
  ],
  not_ready: [
    'The app was not ready',
    'What you shared was not received. The app is ready now: go back to the other app and share it again.',
  ],
  too_large: [
    'The files are too large',
    'The files of a message can be up to 20 MB in total. Share fewer or smaller ones.',
  ],
  not_stored: [
    'The files could not be stored',
    'This device may have no space left for them. Free some space, then share them again.',
  ],
} as const;

type Props = {
  id: string;
  problem: string;
  userId: string;
  /** Null for viewers, who cannot reply. */
  limits: NewConversationView | null;
};

/** Shows what another app shared, and the conversations to which it can be added. */
export function ShareTo({ id, problem, userId, limits }: Props) {
  const [shared, setShared] = useState<SharedContent | null | undefined>(undefined);
  useEffect(() => {
    // Something was shared, so the app is installed.
    void registerServiceWorker().catch(() => undefined);
    // Without storage nothing can be shared.
    openShared({ id, userId }).then(setShared, () => setShared(null));
  }, [id, userId]);
  if (!limits)
    return (
      <Nothing title="You can’t reply here">
        Ask an owner or admin for another role to reply to contacts.
      </Nothing>
    );
  if (Object.hasOwn(PROBLEMS, problem)) return <Problem name={problem as keyof typeof PROBLEMS} />;
  if (shared === undefined) return <Loading />;
  if (shared === null || (shared.text === '' && shared.files.length === 0)) return <Problem name="none" />;
  return <ShareForm shared={shared} limits={limits} />;
}

function Problem({ name }: { name: keyof typeof PROBLEMS }) {
  const [title, sentence] = PROBLEMS[name];
  return <Nothing title={title}>{sentence}</Nothing>;
}

function Nothing({ title, children }: { title: string; children: string }) {
  return (
    <EmptyState icon={Share2} title={title}>
      <p>{children}</p>
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading what you shared</span>
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
    </div>
  );
}
