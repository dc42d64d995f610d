'use client';

import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useRef } from 'react';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import type { UnseenQuestion } from '#app/components/drafts/composer-state.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { openedQuery } from '#app/components/view/inbox-queries.ts';
import { useInboxView } from '#app/components/view/inbox-view.tsx';
import { cx } from '#app/lib/cx.ts';
import type { UnseenItem } from '#server/screens/inbox/composer-views.ts';

type Props = {
  question: UnseenQuestion;
  contactName: string | null;
  onSend: () => void;
  onClose: () => void;
  /** Returns the focus to the text box. */
  onEdit: () => void;
};

/** Shows what was added since the teammate began to write, and asks whether to send the reply anyway. */
export function UnseenDialog({
  question: { unseen: asked, solves, sendAt },
  contactName,
  onSend,
  onClose,
  onEdit,
}: Props) {
  const isSent = useRef(false);
  const { selected = '' } = useInboxView();
  const { data } = useQuery({ ...openedQuery(useScreens(), selected), enabled: selected !== '' });
  const unseen = withSentReplies(asked, data?.conversation.items ?? []);
  const contact = contactName ?? 'The contact';
  const [first] = unseen;
  const title =
    first && unseen.length === 1
      ? `${nameOf(first, contact)} ${first.actorKind === 'automatic' ? 'was sent' : VERBS[first.kind]} while you were writing`
      : `${unseen.length} new messages since you started writing`;
  return (
    <ConfirmDialog
      control={{ open: true, onOpenChange: (open) => open || isSent.current || onClose() }}
      title={title}
      confirm={sendAt ? 'Schedule anyway' : solves ? 'Send and solve anyway' : 'Send anyway'}
      cancel="Keep editing"
      variant="primary"
      onConfirm={async () => {
        isSent.current = true;
        onSend();
      }}
      onReturn={() => (isSent.current ? focusConversation() : onEdit())}
    >
      <p>Your reply hasn’t been sent yet.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so the keyboard must reach it */}
      <ul tabIndex={0} aria-label="New messages" className="scroll-pane grid max-h-[40dvh] gap-2 text-ink">
        {unseen.map((item) => (
          <li
            key={item.id}
            className={cx(
              'grid gap-0.5 rounded-lg border px-3 py-2',
              item.kind === 'note' && 'border-note-line bg-note',
            )}
          >
            <span className="flex items-center gap-1.5 font-medium text-list">
              {item.kind === 'note' ? <Lock aria-hidden size={14} className="shrink-0" /> : null}
              <bdi className="truncate">{nameOf(item, contact)}</bdi>
              {LABELS[item.kind] ? (
                <span className="shrink-0 font-normal text-ink-soft">{LABELS[item.kind]}</span>
              ) : null}
            </span>
            <span dir="auto" className="line-clamp-8 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {item.content.trim() === '' ? 'Files only' : item.content}
            </span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

/**
 * Returns the items of a question with the replies that were sent since it was asked as messages.
 * @param shown what the conversation contains now. A reply keeps its id when it is sent
 */
export function withSentReplies(unseen: UnseenItem[], shown: readonly { id: string }[]): UnseenItem[] {
  return unseen.map((item) =>
    item.kind === 'pending' && shown.some(({ id }) => id === item.id) ? { ...item, kind: 'message' } : item,
  );
}

const VERBS: Record<UnseenItem['kind'], string> = {
  message: 'replied',
  note: 'added a note',
  pending: 'is sending a reply',
};

const LABELS: Record<UnseenItem['kind'], string | null> = {
  message: null,
  note: 'Internal note',
  pending: 'About to be sent',
};

function nameOf({ fromContact, actorKind, authorName }: UnseenItem, contact: string): string {
  if (authorName !== null) return actorKind === 'workflow' ? `${authorName}’s workflow` : authorName;
  return fromContact ? contact : (AUTHORS[actorKind] ?? 'Someone');
}

/** Names of authors without a name. */
const AUTHORS: Partial<Record<UnseenItem['actorKind'], string>> = {
  ai_agent: 'The AI agent',
  flow: 'An automation',
  automatic: 'An automatic message',
};
