import { PencilLine } from 'lucide-react';
import { sharedDrafts } from '#app/components/composer/shared-drafts.ts';
import { UnsentPicture } from '#app/components/composer/unsent-picture.tsx';
import { draftKey } from '#app/components/drafts/composer-store.ts';
import { composer, useDraft } from '#app/components/drafts/drafts.ts';
import { usePresent } from '#app/components/live/presence.ts';
import { Button } from '#app/components/ui/button.tsx';
import { LinkedText } from '#app/components/ui/linked-text.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { toast } from '#app/components/ui/toast.ts';
import type { ComposerView, DraftView } from '#server/screens/inbox/composer-views.ts';

type Props = {
  view: ComposerView;
  /** Text of this tab. */
  text: string;
  /** Called after a choice, to return to the text box. */
  onDone: () => void;
};

/** Shows who wrote the draft in the box, or lets the teammate choose when another one has changed it at the same time. */
export function SharedDraft({ view, text, onDone }: Props) {
  const of = { userId: view.you.id, conversationId: view.conversationId, kind: 'reply' } as const;
  const { shared } = useDraft(of);
  if (shared?.newer) return <ChangedDraft view={view} newer={shared.newer} onDone={onDone} />;
  if (!shared?.by || text.trim() === '') return null;
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 px-3 pt-1 text-note-ink text-xs">
      <PencilLine aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <DraftAuthor conversationId={view.conversationId} {...shared.by} />
    </p>
  );
}

/** Time after a change in which a typing author counts as editing the draft and not a note, in ms. */
const EDITING_MS = 60_000;

function DraftAuthor({
  conversationId,
  author,
  updatedAt,
}: { conversationId: string } & Pick<DraftView, 'author' | 'updatedAt'>) {
  const { now } = useNow();
  const isTyping = usePresent(conversationId).some((each) => each.userId === author?.id && each.isTyping);
  if (isTyping && now - updatedAt.getTime() < EDITING_MS) {
    return (
      <span className="truncate">
        <bdi>{nameOf(author)}</bdi> is editing this draft
      </span>
    );
  }
  return (
    <>
      <span className="truncate">
        Draft by <bdi>{nameOf(author)}</bdi>
      </span>
      <span aria-hidden>·</span>
      <RelativeTime at={updatedAt} className="shrink-0" />
    </>
  );
}

type ChangedProps = Pick<Props, 'view' | 'onDone'> & { newer: DraftView };

function ChangedDraft({ view, newer, onDone }: ChangedProps) {
  const { you, conversationId } = view;
  const key = draftKey({ userId: you.id, conversationId, kind: 'reply' });
  const isYours = newer.author?.id === you.id;
  const choose = (choice: 'mine' | 'theirs' | 'both') => {
    const { text, formatted, files } = composer.get(key);
    sharedDrafts.resolve(view, choice);
    if (choice === 'theirs') {
      const restore = () => composer.edit(key, () => ({ text, formatted, files }));
      toast('Your text was replaced', { action: { label: 'Undo', onClick: restore } });
    }
    onDone();
  };
  return (
    <section
      aria-label="Changed draft"
      className="mx-3 mt-2 grid gap-2 rounded-lg border border-note-ink bg-note px-3 py-2 text-list"
    >
      <p role="alert" className="font-medium">
        {isYours ? 'You have' : <bdi>{nameOf(newer.author)}</bdi>}
        {isYours
          ? ' changed this draft in another window. '
          : ' has changed this draft while you were writing. '}
        <span className="font-normal">Your text is not saved for the team yet.</span>
      </p>
      <DraftText draft={newer} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => choose('both')}>
          Keep both
        </Button>
        <Button onClick={() => choose('theirs')}>Use this text</Button>
        <Button onClick={() => choose('mine')}>Keep only mine</Button>
      </div>
    </section>
  );
}

/** A draft that this teammate cannot change. */
export function DraftToRead({ draft, you }: { draft: DraftView; you: { id: string } }) {
  const { author, updatedAt } = draft;
  return (
    <section
      aria-label="Draft"
      className="mb-2 grid gap-1 rounded-lg border border-dashed bg-surface px-3 py-2"
    >
      <p className="flex min-w-0 items-center gap-1.5 text-note-ink text-xs">
        <PencilLine aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
        <span className="truncate">
          Draft by <bdi>{author?.id === you.id ? 'you' : nameOf(author)}</bdi>
        </span>
        <span aria-hidden>·</span>
        <RelativeTime at={updatedAt} className="shrink-0" />
      </p>
      <DraftText draft={draft} />
    </section>
  );
}

type TextProps = { draft: Pick<DraftView, 'content' | 'formatted' | 'files'> };

/** Shows the text and the names of the files of a draft. */
export function DraftText({ draft: { content, formatted, files } }: TextProps) {
  return (
    <div className="scroll-pane max-h-32">
      <div dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <LinkedText
          text={content}
          formatted={formatted}
          picture={(fileId, name) => <UnsentPicture files={files} fileId={fileId} name={name} />}
        />
      </div>
      {files.length > 0 ? (
        <p className="text-ink-soft text-xs">{files.map(({ name }) => name).join(', ')}</p>
      ) : null}
    </div>
  );
}

function nameOf(author: DraftView['author']): string {
  return author?.name ?? 'a former teammate';
}
