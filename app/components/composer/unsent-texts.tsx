import { DraftText } from '#app/components/composer/shared-draft.tsx';
import type { Draft, Kind } from '#app/components/drafts/composer-state.ts';
import { draftKey } from '#app/components/drafts/composer-store.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

type View = Pick<ComposerView, 'you' | 'conversationId' | 'mergedInto'>;

type Props = { view: View; drafts: Record<Kind, Draft> };

/**
 * Shows what the teammate was writing when a colleague merged the conversation, or took it out of the inbox, and only this browser
 * has. After a merge it can be moved to the other conversation.
 */
export function UnsentTexts({ view, drafts }: Props) {
  return (['reply', 'note'] as const).map((kind) => (
    <UnsentText key={kind} view={view} kind={kind} draft={drafts[kind]} />
  ));
}

const WORDS = {
  reply: { name: 'Your reply', sentence: 'Your last changes to this reply are only in this browser.' },
  note: { name: 'Your note', sentence: 'This note was not added. It is only in this browser.' },
};

type TextProps = { view: View; kind: Kind; draft: Draft };

function UnsentText({ view: { you, conversationId, mergedInto }, kind, draft }: TextProps) {
  const { name, sentence } = WORDS[kind];
  const key = draftKey({ userId: you.id, conversationId, kind });
  const isStored = kind === 'reply' && /\d$/.test(composer.versionOf(key));
  if (isStored || draft.text.trim() === '') return null;
  const move = (intoId: string) => {
    const taken = composer.take(key, []);
    composer.confirm(key, taken);
    // The people of one conversation must not read the other.
    const enclosed = { ...taken.enclosed, cc: [], bcc: [] };
    composer.restore(draftKey({ userId: you.id, conversationId: intoId, kind }), { ...taken, enclosed });
    showInbox(`/inbox?selected=${intoId}`);
    toast(`${name} is now in this conversation`);
  };
  return (
    <section
      aria-label={name}
      className="mb-2 grid justify-items-start gap-1 rounded-lg border border-dashed bg-surface px-3 py-2"
    >
      <p className="text-note-ink text-xs">{sentence}</p>
      <DraftText
        draft={{
          content: draft.text,
          formatted: draft.formatted,
          files: draft.files.flatMap(({ uploaded }) => uploaded ?? []),
        }}
      />
      {mergedInto ? <Button onClick={() => move(mergedInto.id)}>Move to that conversation</Button> : null}
    </section>
  );
}
