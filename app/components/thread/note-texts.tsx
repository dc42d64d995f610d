'use client';

import { useState, useTransition } from 'react';
import { queryErrorMessage } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { NoteTextsView } from '#server/screens/inbox/thread-views.ts';

/** Says that a note was edited, and shows its earlier texts. */
export function NoteTexts({
  noteId,
  version,
  editedAt,
}: {
  noteId: string;
  version: number;
  editedAt: Date;
}) {
  const screens = useScreens();
  const [texts, setTexts] = useState<NoteTextsView | null>(null);
  const [pending, start] = useTransition();
  // Texts of an older version are not shown, because a newer one was saved in the meantime.
  const shown = texts?.version === version ? texts : null;
  const toggle = () => {
    if (shown) {
      setTexts(null);
      return;
    }
    start(async () => {
      try {
        setTexts(await screens.notes.texts.query({ noteId }));
      } catch (error) {
        toast.error('Could not load the earlier texts', { description: queryErrorMessage(error) });
      }
    });
  };
  return (
    <div className="grid gap-1 text-note-ink text-xs">
      <p>
        <button
          type="button"
          aria-expanded={shown !== null}
          aria-busy={pending}
          data-tip="Earlier texts"
          onClick={toggle}
          className="inline-flex items-center rounded-sm underline underline-offset-2 max-md:min-h-11"
        >
          Edited
        </button>{' '}
        <RelativeTime at={editedAt} />
      </p>
      {shown ? (
        <ol aria-label="Earlier texts" className="grid gap-2 border-note-line border-l-2 pl-3">
          {shown.earlier.map(({ content, formatted, writtenAt }) => (
            <li key={writtenAt.toISOString()} className="grid gap-0.5">
              <RelativeTime at={writtenAt} />
              <div dir="auto" className="whitespace-pre-wrap text-ink text-list [overflow-wrap:anywhere]">
                <LinkedText text={content} formatted={formatted} pictures={shown.pictures} />
              </div>
            </li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}
