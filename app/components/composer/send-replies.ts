import type { ComposerState, Taken } from '#app/components/drafts/composer-state.ts';
import type { ComposerStore } from '#app/components/drafts/composer-store.ts';
import { composer } from '#app/components/drafts/drafts.ts';
import { change, refetchTopic } from '#app/components/live/page-data.ts';
import { endAttempt } from '#app/lib/attempt-id.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';
import type {
  ComposerView,
  Enclosures,
  PendingReplyView,
  ScheduledReply,
  UnseenItem,
} from '#server/screens/inbox/composer-views.ts';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';

/** Provisional undo window in ms, until the server's response contains the actual one. */
const SHOWN_MS = 5_000;

/** Maximum number of ids of what a teammate has seen. */
export const SEEN_MAX = 100;

export type WrittenReply = Taken & {
  solves: boolean;
  /** Time at which to send it later. Undefined sends it after the time to undo it. */
  sendAt?: Date | undefined;
  /** Address of the author to answer instead of the contact, or null. */
  answers: string | null;
  /** Ids of the messages, notes and pending replies that the writer has seen. */
  seen: readonly string[];
  /** Id of the suggestion that the reply is. */
  suggestedId?: string;
  /** Version of the shared draft that it was. */
  draftVersion?: number | Promise<number> | undefined;
};

type Settled = Pick<WrittenReply, 'solves' | 'seen'> & {
  conversationId: string;
  /** Key of the draft. */
  key: string;
  taken: Taken;
  sendAt: Date | undefined;
  /** Address of the suggested author. */
  suggested: string | null;
};

/** Reason why a reply was not scheduled: an error sentence, or the items that the writer has not seen. */
export type NotScheduled = { problem: string } | { unseen: UnseenItem[] };

/**
 * What a cancelled reply contained. `draftVersion`: version of the shared draft that contains it, or null. Servers of the previous release
 * send no `answers` and `draftVersion`.
 */
export type CancelledReply = Enclosures &
  Pick<Taken, 'formatted' | 'answers'> & { content: string; draftVersion?: number | null };

type Options = {
  composer: ComposerStore;
  /** Schedules a reply, unless something was added that its writer has not seen. */
  schedule: (
    reply: {
      conversationId: string;
      id: string;
      content: string;
      formatted: FormattedText | null;
      /** Also solves the conversation once the reply is sent. */
      solves: boolean;
      sendAt: Date | undefined;
      seen: string[];
      answers?: string;
      suggestedId: string | undefined;
      /** Version of the shared draft that it was, which is emptied. */
      draftVersion: number | undefined;
    } & Enclosures,
  ) => Promise<Outcome<ScheduledReply>>;
  /** Cancels a scheduled or failed reply and returns its content, files and copies. */
  cancel: (id: string, toDraft: boolean) => Promise<Outcome<CancelledReply>>;
  /** Refetches the conversations. Resolves once they are fetched. */
  refetch: () => Promise<unknown>;
};

/** The replies of this tab that are not messages yet. */
export const replies = sendReplies({
  composer,
  schedule: change(({ composer: screens }, reply) => screens.reply.mutate(reply)),
  cancel: change(({ composer: screens }, id, toDraft) => screens.cancelReply.mutate({ id, toDraft })),
  refetch: () => refetchTopic('conversations'),
});

/** Sends and cancels the replies of a tab. A reply appears immediately, before the server confirms it. */
export function sendReplies({ composer, schedule, cancel, refetch }: Options) {
  const { store } = composer;
  const forget = (id: string) =>
    store.setState(({ localReplies }) => ({ localReplies: localReplies.filter((reply) => reply.id !== id) }));

  return {
    /** Resolves with null once the reply is scheduled. `id` is a new UUIDv7. */
    send: async (
      { conversationId, you }: Pick<ComposerView, 'conversationId' | 'you'>,
      id: string,
      {
        text: content,
        formatted,
        solves,
        sendAt,
        answers,
        enclosed,
        seen,
        suggestedId,
        draftVersion,
      }: WrittenReply,
    ): Promise<NotScheduled | null> => {
      /** Has the ids of its pictures. */
      const inText = JSON.stringify(formatted ?? null);
      const pending = {
        conversationId,
        id,
        content,
        formatted,
        authorName: you.name,
        isYours: true,
        msLeft: SHOWN_MS,
        laterAt: sendAt ?? null,
        isAnswered: false,
        problem: null,
        solves,
        cc: enclosed.cc,
        bcc: enclosed.bcc,
        pictures: enclosed.files,
        fileNames: enclosed.files.filter((file) => !inText.includes(file.id)).map(({ name }) => name),
      };
      const to = answers === null ? {} : { answers };
      const reply = {
        conversationId,
        id,
        content,
        formatted,
        solves,
        sendAt,
        seen: [...seen],
        suggestedId,
        ...to,
        ...enclosed,
      };
      const scheduled = Promise.resolve(draftVersion)
        .then((version) => schedule({ ...reply, draftVersion: version }))
        .catch(notReached)
        .then(whyNot);
      store.setState(({ localReplies }) => ({ localReplies: [...localReplies, { ...pending, scheduled }] }));
      const refused = await scheduled;
      const refetched = refetch();
      // The refetched view contains the reply, as pending or as a message. Only that view knows when the reply is sent.
      if (refused === null) void refetched.then(() => forget(id));
      else forget(id);
      return refused;
    },
    /**
     * Returns a refused reply or note to its box. A reply that its writer is asked about stays out of it, and so apart from what they have
     * written since, until they decide.
     */
    settle: ({ conversationId, key, suggested, ...sent }: Settled, notSent: NotScheduled | null): void => {
      const { taken, seen } = sent;
      if (notSent === null) composer.confirm(key, taken);
      else if ('problem' in notSent) composer.restore(key, taken, suggested);
      else {
        const { unseen } = notSent;
        const all = [...seen, ...unseen.map(({ id }) => id)].slice(-SEEN_MAX);
        composer.ask(conversationId, { ...sent, unseen, seen: all });
      }
    },
    /**
     * Cancels a reply and returns its content, or undefined when it was never scheduled. A refusal is an outcome.
     * @param toDraft also returns the content to the shared draft, where it is if the response is lost
     */
    cancel: async (
      conversationId: string,
      id: string,
      toDraft: boolean,
    ): Promise<Outcome<CancelledReply> | undefined> => {
      // The request that schedules this reply may be in flight. If only its response was lost, the server has the reply.
      const local = store.getState().localReplies.findLast((reply) => reply.id === id);
      const isScheduled = !(await local?.scheduled);
      const outcome = await cancel(id, toDraft).catch(notReached);
      void refetch();
      if (!outcome.done) return isScheduled ? outcome : undefined;
      endAttempt(`reply:${conversationId}`);
      store.setState(({ cancelledReplies }) => ({ cancelledReplies: [...cancelledReplies, id] }));
      return outcome;
    },
  };
}

/**
 * Returns the replies that are not messages yet.
 * @param shown ids of the items on screen. A local reply that is among them is already pending or a message
 */
export function pendingReplies(
  { localReplies, cancelledReplies }: ComposerState,
  { conversationId, pending }: Pick<ComposerView, 'conversationId' | 'pending'>,
  shown: readonly string[],
): PendingReplyView[] {
  const own = localReplies.filter(
    (reply) => reply.conversationId === conversationId && !shown.includes(reply.id),
  );
  return [...pending, ...own].filter(({ id }) => !cancelledReplies.includes(id));
}

function whyNot(outcome: Outcome<ScheduledReply>): NotScheduled | null {
  if (!outcome.done) return { problem: outcome.problem };
  return outcome.value.unseen.length > 0 ? { unseen: outcome.value.unseen } : null;
}
