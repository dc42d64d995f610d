'use client';

import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { replies } from '#app/components/composer/send-replies.ts';
import type { Taken } from '#app/components/drafts/composer-state.ts';
import { draftKey } from '#app/components/drafts/composer-store.ts';
import { currentCopies, recipientsOf } from '#app/components/drafts/copies.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { change } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome, usePendingTransition } from '#app/components/ui/use-action.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import type { ComposerView, SuggestedReplyView } from '#server/screens/inbox/composer-views.ts';

/** Deletes a suggested reply and returns its text. */
const takeSuggested = change(({ composer: screens }, id: string) => screens.takeSuggested.mutate({ id }));

type Props = {
  view: ComposerView;
  /** Ids of the messages, notes and pending replies on screen. */
  shown: readonly string[];
  /** Address of the author who gets the reply instead of the contact, or null. */
  answers: string | null;
  /** Puts a text into the composer. */
  onRestore: (taken: Taken) => void;
};

/** Replies that programs suggest, between the thread and the composer. The newest one has a shortcut. */
export function SuggestedReplies({ view, shown, answers, onRestore }: Props) {
  /** Suggestions that were sent or taken, which the fetched view may still contain. */
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const hide = (id: string) => setHidden((ids) => [...ids, id]);
  const show = (id: string) => setHidden((ids) => ids.filter((each) => each !== id));
  const suggestions = view.suggested.filter(({ id }) => !hidden.includes(id));
  if (suggestions.length === 0) return null;

  const send = async ({ id, content }: SuggestedReplyView) => {
    const key = draftKey({ userId: view.you.id, conversationId: view.conversationId, kind: 'reply' });
    const copies = recipientsOf(currentCopies(composer.get(key).copies, view.replyCc));
    const attempt = `suggested:${id}`;
    hide(id);
    focusConversation();
    const notSent = await replies.send(view, attemptId(attempt, [content, copies, answers]), {
      text: content,
      formatted: null,
      enclosed: { ...copies, files: [], savedReplyIds: [] },
      solves: false,
      answers,
      seen: shown,
      suggestedId: id,
    });
    if (notSent === null) return endAttempt(attempt);
    show(id);
    const description = 'problem' in notSent ? notSent.problem : UNSEEN;
    toast.error('The suggested reply was not sent', { description });
  };
  /** Takes a suggestion, so that no teammate can send it any more. */
  const take = async (id: string, failed: string): Promise<Taken | undefined> => {
    const outcome = await toastOutcome(takeSuggested(id), { failed });
    if (!outcome.done) return undefined;
    hide(id);
    focusConversation();
    return {
      text: outcome.value.content,
      formatted: null,
      enclosed: { ...recipientsOf(currentCopies(null, view.replyCc)), files: [], savedReplyIds: [] },
    };
  };
  const edit = async (id: string) => {
    const taken = await take(id, 'Could not edit the suggestion');
    if (taken) onRestore(taken);
  };
  const dismiss = async (id: string) => {
    const taken = await take(id, 'Could not dismiss the suggestion');
    if (taken) toast('Suggestion dismissed', { action: { label: 'Undo', onClick: () => onRestore(taken) } });
  };
  return (
    <ul aria-label="Suggested replies" className="scroll-pane mb-2 grid max-h-[45dvh] gap-2">
      {suggestions.map((suggestion, index) => (
        <li key={suggestion.id} className="min-w-0">
          <Suggestion
            suggestion={suggestion}
            mayAct={view.readOnly === null}
            maySend={view.mergedInto === null && suggestion.since !== 'answered'}
            isNewest={index === suggestions.length - 1}
            onSend={() => send(suggestion)}
            onEdit={() => edit(suggestion.id)}
            onDismiss={() => dismiss(suggestion.id)}
          />
        </li>
      ))}
    </ul>
  );
}

const UNSEEN = 'Something was added to the conversation. Read it, then send the reply again.';

const SINCE = {
  answered: 'Someone has replied since.',
  written: 'The contact has written since.',
};

type SuggestionProps = {
  suggestion: SuggestedReplyView;
  mayAct: boolean;
  maySend: boolean;
  isNewest: boolean;
  onSend: () => Promise<void>;
  onEdit: () => Promise<void>;
  onDismiss: () => Promise<void>;
};

function Suggestion({ suggestion, mayAct, maySend, isNewest, onSend, onEdit, onDismiss }: SuggestionProps) {
  const { programName, content, reason, createdAt, since } = suggestion;
  const [busy, start] = usePendingTransition();
  const run = (work: () => Promise<void>) => () => start(work);
  return (
    <article className="grid gap-1.5 rounded-lg border border-accent-ink border-dashed bg-surface px-3 py-2">
      <p className="flex min-w-0 items-center gap-1.5 text-ink-soft text-xs">
        <Sparkles aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-accent-ink" />
        <span className="truncate">
          Suggested by <bdi>{programName}</bdi>
        </span>
        <RelativeTime at={new Date(createdAt)} className="shrink-0" />
      </p>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {content}
      </p>
      <p className="text-ink-soft text-list [overflow-wrap:anywhere]">
        Why: <bdi>{reason}</bdi>
      </p>
      {since ? <p className="font-medium text-list">{SINCE[since]}</p> : null}
      {mayAct ? (
        <div className="-mb-2 sticky bottom-0 flex flex-wrap gap-2 bg-surface pb-2">
          {maySend ? (
            <Button
              variant={since === null ? 'primary' : 'secondary'}
              aria-disabled={busy}
              onClick={run(onSend)}
              data-shortcut={isNewest ? 'send-suggested' : undefined}
              aria-label="Send suggested reply"
              data-tip="Send suggested reply"
            >
              Send
            </Button>
          ) : null}
          <Button aria-disabled={busy} onClick={run(onEdit)}>
            Edit
          </Button>
          <Button variant="quiet" aria-disabled={busy} onClick={run(onDismiss)}>
            Dismiss
          </Button>
        </div>
      ) : null}
    </article>
  );
}
