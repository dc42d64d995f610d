'use client';

import { useEffect, useRef, useState } from 'react';
import { createSuggest } from '#app/components/composer/create-suggest.ts';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { sayUnseenBy } from '#app/components/composer/say-unseen-by.ts';
import type { BoxHandle } from '#app/components/composer/text-box.tsx';
import { mentionAt } from '#app/components/composer/typed-token.ts';
import { WriteForm } from '#app/components/composer/write-form.tsx';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { editNote } from '#app/components/thread/actions.ts';
import type { NoteItem, NoteWriter } from '#app/components/thread/thread-note.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { notReached } from '#app/lib/outcome.ts';
import type { Written } from '#server/screens/inbox/formatted-text.ts';
import type { NoteTextsView } from '#server/screens/inbox/thread-views.ts';

type Props = {
  note: NoteItem;
  conversationId: string;
  writer: NoteWriter;
  onSaved: (saved: Partial<NoteItem>) => void;
  onClose: () => void;
};

/**
 * Edits a note in the thread. When the note was changed somewhere else in the meantime, the text stays, the new one is shown
 * above it, and saving again replaces that.
 */
export function NoteEditor({ note, conversationId, writer, onSaved, onClose }: Props) {
  const screens = useScreens();
  const box = useRef<BoxHandle>(null);
  const [written, setWritten] = useState<Written>({ text: note.content, formatted: note.formatted });
  const [started] = useState(note.version);
  /** The text that was saved somewhere else in the meantime. */
  const [newer, setNewer] = useState<NoteTextsView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    box.current?.focus();
  }, []);
  const close = () => {
    onClose();
    focusConversation();
  };
  const save = async () => {
    setBusy(true);
    const replaced = newer?.version ?? started;
    const { text: typed, formatted: typedFormat } = written;
    const edit = {
      conversationId,
      noteId: note.id,
      version: replaced,
      content: typed,
      formatted: typedFormat,
    };
    const outcome = await editNote(edit).catch(notReached);
    if (outcome.done) {
      const { version, content, formatted, unseenBy } = outcome.value;
      sayUnseenBy(unseenBy);
      onSaved({ version, content, formatted, ...(version > replaced ? { editedAt: new Date() } : {}) });
      void refetchTopic('conversations');
      return close();
    }
    setProblem(outcome.problem);
    if ('version' in outcome.fields) {
      setNewer(await screens.notes.texts.query({ noteId: note.id }).catch(() => null));
    }
    setBusy(false);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {newer ? (
        <section aria-label="New text" className="border-note-line border-l-2 pl-3">
          <p className="text-note-ink text-xs">New text of this note</p>
          <div dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LinkedText text={newer.content} formatted={newer.formatted} pictures={newer.pictures} />
          </div>
        </section>
      ) : null}
      <div className="rounded-md border border-note-line bg-surface has-[[data-box]:focus-visible]:outline-2 has-[[data-box]:focus-visible]:outline-accent-ink has-[[data-box]:focus-visible]:-outline-offset-1">
        <WriteForm
          box={box}
          label="Edit note"
          placeholder="Write a note for your team"
          {...written}
          canFormat
          pictures={note.pictures}
          maxLength={writer.noteMaxLength}
          problem={problem}
          submit={busy ? 'Saving' : 'Save'}
          busy={busy}
          tokenAt={mentionAt}
          suggest={createSuggest(writer, NO_COMMANDS)}
          offersFor={null}
          onChange={(text, formatted) => {
            setWritten({ text, formatted });
            setProblem(null);
          }}
          onSend={() => void save()}
          aside={
            <Button variant="quiet" onClick={close} disabled={busy}>
              Cancel
            </Button>
          }
        />
      </div>
    </div>
  );
}

const NO_COMMANDS = { onCommand: () => undefined, onSaved: () => undefined };
