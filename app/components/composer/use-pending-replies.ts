'use client';

import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { cancelReply, scheduleReply } from '#app/components/inbox/actions.ts';
import { showAgain } from '#app/components/live/show-again.ts';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView, Enclosures, PendingReplyView } from '#server/screens/inbox/views.ts';

/** How long a reply is shown before the server is asked, in milliseconds; its response says how long it really is. */
const SHOWN_MS = 5_000;
/** So long after a reply should have left it is no longer shown from memory: the page has it from the server by then. */
const GRACE_MS = 5_000;

type Given = {
  view: ComposerView;
  /** Puts a reply that was not sent where it can be written on. */
  restoreDraft: (content: string, enclosed: Enclosures) => void;
};

/** The replies that are about to be sent, shown the moment they are, and what can be done with them. */
export function usePendingReplies({ view, restoreDraft }: Given) {
  const [own, setOwn] = useState<PendingReplyView[]>([]);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [saving] = useState(() => new Map<string, Promise<boolean>>());
  const known = new Set(view.pending.map(({ id }) => id));
  const forget = (id: string) => setOwn((replies) => replies.filter((reply) => reply.id !== id));

  /** Resolves with the sentence that says why it was not taken, or null. */
  const send = async (content: string, solves: boolean, enclosed: Enclosures): Promise<string | null> => {
    const { conversationId, you } = view;
    const id = uuidv7();
    const shown = {
      id,
      content,
      authorName: you.name,
      isYours: true,
      msLeft: SHOWN_MS,
      problem: null,
      solves,
      cc: enclosed.cc,
      bcc: enclosed.bcc,
      fileNames: enclosed.files.map(({ name }) => name),
    };
    setOwn((replies) => [...replies, shown]);
    const held = scheduleReply({ conversationId, id, content, solves, ...enclosed }).catch(notReached);
    saving.set(
      id,
      held.then(({ done }) => done),
    );
    const outcome = await held;
    saving.delete(id);
    void showAgain('conversations');
    if (outcome.done) setTimeout(() => forget(id), outcome.value.msLeft + GRACE_MS);
    else forget(id);
    return outcome.done ? null : outcome.problem;
  };

  /** What stood in the reply, or undefined when it was too late or never there. */
  const take = async (
    id: string,
    failed: string,
  ): Promise<(Enclosures & { content: string }) | undefined> => {
    // It may still be on its way to the server.
    if ((await saving.get(id)) === false) return undefined;
    const outcome = await toastOutcome(cancelReply(id), { failed });
    void showAgain('conversations');
    if (!outcome.done) return undefined;
    forget(id);
    setGone((ids) => [...ids, id]);
    return outcome.value;
  };

  return {
    replies: [...view.pending, ...own.filter(({ id }) => !known.has(id))].filter(
      ({ id }) => !gone.includes(id),
    ),
    send,
    undo: async (id: string) => {
      const taken = await take(id, 'Could not undo it');
      if (taken) restoreDraft(taken.content, taken);
    },
    discard: async (id: string) => {
      const taken = await take(id, 'Could not discard it');
      if (!taken) return;
      toast('Reply discarded', {
        action: { label: 'Undo', onClick: () => restoreDraft(taken.content, taken) },
      });
    },
  };
}
