'use client';

import { Lock, Pencil, SquareTerminal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { deleteNote, restoreNote } from '#app/components/thread/actions.ts';
import { MessageButton } from '#app/components/thread/message-button.tsx';
import { Via } from '#app/components/thread/thread-message.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { RunView, ThreadItem } from '#server/screens/inbox/thread-views.ts';

const rareParts = lazyParts(() => import('#app/components/thread/rare-parts.ts'));
const MergedMark = rareParts('MergedMark');
const NoteEditor = rareParts('NoteEditor');
const NoteTexts = rareParts('NoteTexts');
const ThreadAttachments = rareParts('ThreadAttachments');

export type NoteItem = Extract<ThreadItem, { kind: 'note' }>;

export type NoteWriter = Pick<
  ComposerView,
  'you' | 'mentionable' | 'commands' | 'noteMaxLength' | 'notesProblem'
>;

type Props = {
  item: NoteItem;
  contactId: string | undefined;
  conversationId: string;
  /** The reader, if they can change their notes here. */
  writer: NoteWriter | null;
};

/** An internal note, or the note of a workflow command. Its author can edit and delete it. */
export function ThreadNote({ item, contactId, conversationId, writer }: Props) {
  /** The note as this page last saved it: earlier pages of the thread are not fetched again. */
  const [saved, setSaved] = useState<Partial<NoteItem> | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const note = saved && (saved.version ?? 0) >= item.version ? { ...item, ...saved } : item;
  const isOwn = writer !== null && note.ownerId === writer.you.id;
  const remove = async () => {
    const which = { conversationId, noteId: note.id };
    const shown = saved;
    // The button disappears with the note.
    focusConversation();
    setSaved({ ...saved, isDeleted: true, version: note.version + 1 });
    const undo = async () => {
      const { done } = await toastOutcome(restoreNote(which), { failed: 'Could not undo' });
      if (done) setSaved(shown);
      void refetchTopic('conversations');
    };
    const { done } = await toastOutcome(deleteNote({ ...which, version: note.version }), {
      failed: 'Could not delete the note',
      done: () => ({ title: 'Note deleted', undo: () => void undo() }),
    });
    if (!done) setSaved(shown);
    void refetchTopic('conversations');
  };
  if (note.isDeleted && !isEditing) return <DeletedNote item={note} />;
  const Icon = note.isCommand ? SquareTerminal : Lock;
  return (
    <div className="grid gap-1 rounded-lg border border-note-line bg-note px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 text-list text-note-ink">
        <Icon aria-hidden size={13} className="self-center" />
        <span className="font-semibold">{titleOf(note)}</span>
        {note.mergedFrom ? <MergedMark mergedFrom={note.mergedFrom} contactId={contactId} /> : null}
        {note.via ? <Via name={note.via} /> : null}
        <RelativeTime at={note.createdAt} className="text-xs" />
        {isOwn && !isEditing ? (
          <span className="ml-auto inline-flex self-center">
            {writer.notesProblem === null ? (
              <MessageButton
                icon={Pencil}
                isOnNote
                aria-label="Edit note"
                data-tip="Edit"
                data-shortcut="edit-note"
                onClick={() => setIsEditing(true)}
              />
            ) : null}
            <MessageButton
              icon={Trash2}
              isOnNote
              aria-label="Delete note"
              data-tip="Delete"
              onClick={() => void remove()}
            />
          </span>
        ) : null}
      </p>
      {isEditing && writer ? (
        <NoteEditor
          note={note}
          conversationId={conversationId}
          writer={writer}
          onSaved={setSaved}
          onClose={() => setIsEditing(false)}
        />
      ) : note.content === '' ? null : (
        <div dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          <LinkedText
            text={note.content}
            formatted={note.formatted}
            mentioned={note.mentioned}
            pictures={note.pictures}
          />
        </div>
      )}
      {note.attachments.length > 0 ? (
        <div className="mt-1 [&_a]:border-note-line">
          <ThreadAttachments attachments={note.attachments} filesElsewhere={0} atEnd={false} />
        </div>
      ) : null}
      {note.editedAt && !isEditing ? (
        <NoteTexts noteId={note.id} version={note.version} editedAt={note.editedAt} />
      ) : null}
      {note.run ? <RunState run={note.run} /> : null}
    </div>
  );
}

/** Says who deleted a note. Only its author can. */
function DeletedNote({ item: { authorName, createdAt } }: { item: NoteItem }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 rounded-lg border border-dashed px-3 py-1.5 text-ink-soft text-list">
      <Trash2 aria-hidden size={13} className="self-center" />
      {authorName ? `${authorName} deleted a note` : 'A note was deleted'}
      <RelativeTime at={createdAt} className="text-ink-faint text-xs" />
    </p>
  );
}

/** Shows the delivery state of a command. Updates live. */
function RunState({ run: { state, sentence } }: { run: RunView }) {
  return (
    <p className={cx('text-xs', state === 'failed' ? 'text-danger-ink' : 'text-note-ink')}>
      <StatusDot tone={tones[state]} wrap>
        {sentence}
      </StatusDot>
    </p>
  );
}

const tones = { sent: 'quiet', delivered: 'good', failed: 'bad', retrying: 'waiting' } as const;

function titleOf({ isCommand, authorName }: NoteItem): string {
  if (isCommand) return 'Workflow command';
  return authorName ? `Internal note by ${authorName}` : 'Internal note';
}
