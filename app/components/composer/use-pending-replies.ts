'use client';

import { useState } from 'react';
import { cancelReply, scheduleReply } from '#app/components/inbox/actions.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { toast } from '#app/components/ui/toast.ts';
import { toastOutcome } from '#app/components/ui/use-action.ts';
import { endAttempt } from '#app/lib/attempt-id.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';
import type {
  ComposerView,
  Enclosures,
  PendingReplyView,
  ScheduledReply,
  UnseenItem,
} from '#server/screens/inbox/composer-views.ts';

/** Provisional undo window in ms, until the server's response contains the actual one. */
const SHOWN_MS = 5_000;

export type WrittenReply = {
  content: string;
  solves: boolean;
  /** Address of the author to answer instead of the contact, or null. */
  answers: string | null;
  enclosed: Enclosures;
  /** Ids of the messages, notes and pending replies that the writer has seen. */
  seen: readonly string[];
};

/** Reason why a reply was not scheduled: an error sentence, or the items that the writer has not seen. */
export type NotScheduled = { problem: string } | { unseen: UnseenItem[] };

type Options = {
  view: ComposerView;
  /** Ids of the items on screen. A local reply that is among them is already pending or a message. */
  shown: readonly string[];
  /** Restores an unsent reply as a draft. */
  restoreDraft: (content: string, enclosed: Enclosures) => void;
};

/** State and actions of pending replies. A reply appears immediately, before the server confirms it. */
export function usePendingReplies({ view, shown, restoreDraft }: Options) {
  const [local, setLocal] = useState<PendingReplyView[]>([]);
  const [cancelled, setCancelled] = useState<readonly string[]>([]);
  const [saving] = useState(() => new Map<string, Promise<boolean>>());
  const forget = (id: string) => setLocal((replies) => replies.filter((reply) => reply.id !== id));

  /** Resolves with null once the reply is scheduled. `id` is a new UUIDv7. */
  const send = async (
    id: string,
    { content, solves, answers, enclosed, seen }: WrittenReply,
  ): Promise<NotScheduled | null> => {
    const { conversationId, you } = view;
    const pending = {
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
    setLocal((replies) => [...replies, pending]);
    const to = answers === null ? {} : { answers };
    const reply = { conversationId, id, content, solves, seen: [...seen], ...to, ...enclosed };
    const scheduled = scheduleReply(reply)
      .then(whyNot)
      .catch((error: unknown) => whyNot(notReached(error)));
    saving.set(
      id,
      scheduled.then((problem) => problem === null),
    );
    const refused = await scheduled;
    saving.delete(id);
    const refetched = refetchTopic('conversations');
    // The refetched view contains the reply, as pending or as a message. Only that view knows when the reply is sent.
    if (refused === null) void refetched.then(() => forget(id));
    else forget(id);
    return refused;
  };

  /** Cancels a reply and returns its content, or undefined when the reply was already sent or never scheduled. */
  const cancel = async (
    id: string,
    failed: string,
  ): Promise<(Enclosures & { content: string }) | undefined> => {
    // The request that schedules this reply may be in flight.
    if ((await saving.get(id)) === false) return undefined;
    const outcome = await toastOutcome(cancelReply(id), { failed });
    void refetchTopic('conversations');
    if (!outcome.done) return undefined;
    endAttempt(`reply:${view.conversationId}`);
    forget(id);
    setCancelled((ids) => [...ids, id]);
    return outcome.value;
  };

  return {
    replies: [...view.pending, ...local.filter(({ id }) => !shown.includes(id))].filter(
      ({ id }) => !cancelled.includes(id),
    ),
    send,
    /** Cancels a reply and restores it as a draft. Returns whether it was cancelled. */
    undo: async (id: string): Promise<boolean> => {
      const reply = await cancel(id, 'Could not undo the reply');
      if (reply) restoreDraft(reply.content, reply);
      return reply !== undefined;
    },
    discard: async (id: string) => {
      const reply = await cancel(id, 'Could not discard the reply');
      if (!reply) return;
      toast('Reply discarded', {
        action: { label: 'Undo', onClick: () => restoreDraft(reply.content, reply) },
      });
    },
  };
}

function whyNot(outcome: Outcome<ScheduledReply>): NotScheduled | null {
  if (!outcome.done) return { problem: outcome.problem };
  return outcome.value.unseen.length > 0 ? { unseen: outcome.value.unseen } : null;
}
