import { Ban } from 'lucide-react';
import RestoreButton from '#app/components/inbox/restore-button.tsx';

type Props = { id: string; kind: 'spam' | 'deleted'; mayRestore: boolean };

/** Explains that a conversation is spam or deleted, and restores it. */
export default function RemovalNotice({ id, kind, mayRestore }: Props) {
  return (
    <div className="flex items-center gap-2 border-b bg-canvas px-5 py-2 text-ink-soft text-list max-md:px-4">
      <Ban aria-hidden size={15} className="shrink-0" />
      <p className="min-w-0 grow">
        {kind === 'spam'
          ? 'This conversation is spam. New messages from the contact stay here.'
          : 'This conversation was deleted. It will be removed for good after 30 days.'}
      </p>
      {mayRestore ? <RestoreButton id={id} kind={kind} /> : null}
    </div>
  );
}
