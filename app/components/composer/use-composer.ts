'use client';

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { sayUnseenBy } from '#app/components/composer/say-unseen-by.ts';
import {
  type CancelledReply,
  type NotScheduled,
  pendingReplies,
  replies,
} from '#app/components/composer/send-replies.ts';
import type { BoxHandle } from '#app/components/composer/text-box.tsx';
import { listensFor, readCommand, startsWithCommand } from '#app/components/composer/typed-token.ts';
import { useAnswered, useAtStart } from '#app/components/composer/use-answered.ts';
import { useEnclosures } from '#app/components/composer/use-enclosures.ts';
import type { CommandRun, Kind, Shown, Taken } from '#app/components/drafts/composer-state.ts';
import { type DraftOf, draftKey } from '#app/components/drafts/composer-store.ts';
import { composer, useDraft } from '#app/components/drafts/drafts.ts';
import { change, refetchTopic } from '#app/components/live/page-data.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import { toast } from '#app/components/ui/toast.ts';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { leaveSolved } from '#app/components/view/open-neighbour.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { FormattedText } from '#server/screens/inbox/formatted-text.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

const NO_COPIES: readonly string[] = [];
const FAILED: Record<Kind, string> = { reply: 'The reply was not sent', note: 'The note was not added' };

const addNote = change(
  (
    { notes },
    note: { conversationId: string; id: string } & Omit<
      CancelledReply,
      'cc' | 'bcc' | 'savedReplyIds' | 'answers'
    >,
  ) => notes.add.mutate(note),
);

/**
 * State and actions of the composer.
 * @param shown ids of the messages, notes and pending replies on screen, oldest first
 */
export function useComposer(view: ComposerView, afterSolving: AfterSolving, shown: readonly string[]) {
  const { conversationId, you, mergedInto } = view;
  const [problems, setProblems] = useState<Partial<Record<Kind, string | null>>>({});
  const [isAdding, setIsAdding] = useState(false);
  /** A reply that starts with an unknown command, until the text changes. */
  const [refused, setRefused] = useState<string | null>(null);
  const of: Record<Kind, DraftOf> = {
    reply: { userId: you.id, conversationId, kind: 'reply' },
    note: { userId: you.id, conversationId, kind: 'note' },
  };
  const drafts = { reply: useDraft(of.reply), note: useDraft(of.note) };
  const state = useStore(composer.store);
  const { kind, run, box } = useShown(conversationId, state.shown);
  const enclosures = useEnclosures({
    workspaceId: view.workspaceId,
    filesMax: view.filesMax,
    draftOf: of.reply,
    suggestedCc: view.replyCc,
  });
  const noteFiles = useEnclosures({
    workspaceId: view.workspaceId,
    filesMax: view.filesMax,
    draftOf: of.note,
    suggestedCc: NO_COPIES,
  });
  const isEmpty = drafts.reply.text === '' && drafts.reply.files.length === 0;
  const answered = useAnswered(view.otherAuthor, of.reply, isEmpty);
  useSharedDraft(view, isEmpty);
  const { text, formatted } = drafts[kind];
  const [seen, setSeen] = useAtStart(shown, isEmpty);
  const question = state.questions[conversationId] ?? null;
  const pending = pendingReplies(state, view, shown);

  const setText = (next: string, formatting: FormattedText | null = null) =>
    composer.edit(draftKey(of[kind]), () => ({ text: next, formatted: formatting }));
  const setRun = (next: CommandRun | null) => composer.show(conversationId, { run: next });
  const write = (what: Kind) => composer.focus(conversationId, what);
  const focusBox = () => composer.show(conversationId, { focus: { caret: undefined } });
  /** Restores a cancelled reply. After a merge, restores it as a draft of the target conversation. */
  const restore = (taken: Taken) => {
    const target = draftKey({ ...of.reply, conversationId: mergedInto?.id ?? conversationId });
    composer.restore(target, taken, answered.suggested);
    if (mergedInto) showInbox(`/inbox?selected=${mergedInto.id}`);
    else write('reply');
  };

  const add = async (
    id: string,
    { text: content, formatted, enclosed: { files } }: Taken,
  ): Promise<NotScheduled | null> => {
    setIsAdding(true);
    const outcome = await addNote({ conversationId, id, content, formatted, files }).catch(notReached);
    setIsAdding(false);
    void refetchTopic('conversations');
    if (!outcome.done) return { problem: outcome.problem };
    sayUnseenBy(outcome.value.unseenBy);
    return null;
  };
  /**
   * Opens the preferred next conversation, and offers Undo in a toast. Returns a function that returns to this
   * conversation, or null if it is not open.
   */
  const leave = (id: string): (() => void) | null => {
    const goBack = leaveSolved(conversationId, afterSolving);
    if (goBack)
      toast('Sending, then solving', { action: { label: 'Undo', onClick: () => void undo(id, goBack) } });
    return goBack;
  };
  /** Sends a reply. A reply that solves leaves the conversation. */
  const sendReply = async (id: string, reply: Parameters<typeof replies.send>[2]) => {
    // Stay on this conversation, because the server will ask about the new items.
    const mayAsk = shown.some((item) => !reply.seen.includes(item));
    const goBack = reply.solves && !mayAsk ? leave(id) : null;
    if (!goBack) focusConversation();
    const notSent = await replies.send(view, id, reply);
    if (notSent === null && reply.solves && mayAsk) leave(id);
    if (notSent && 'unseen' in notSent) goBack?.();
    return notSent;
  };
  /** Cancels a reply. Returns its content, or undefined if it was already sent or never scheduled. */
  const cancel = async (id: string, toDraft: boolean): Promise<CancelledReply | undefined> => {
    const outcome = await replies.cancel(conversationId, id, toDraft);
    if (outcome?.done) return outcome.value;
    const failed = `Could not ${toDraft ? 'undo' : 'discard'} the reply`;
    if (outcome) toast.error(failed, { description: outcome.problem });
    return undefined;
  };
  /** Cancels a reply and restores it as a draft. `goBack` shows its conversation again after it was left. */
  const undo = async (id: string, goBack?: () => void) => {
    const cancelled = await cancel(id, true);
    if (!cancelled) return;
    const { draftVersion } = cancelled;
    const isShown = draftVersion != null && !mergedInto && (await isDraftShown(view, draftVersion));
    if (isShown) write('reply');
    else restore(takenFrom(cancelled));
    if (!goBack) return;
    composer.focusNext(conversationId);
    goBack();
  };
  const discard = async (id: string) => {
    const cancelled = await cancel(id, false);
    if (cancelled)
      toast('Reply discarded', { action: { label: 'Undo', onClick: () => restore(takenFrom(cancelled)) } });
  };
  /**
   * Clears the box immediately. On refusal, restores the text and shows the error, or asks first.
   * @param asked a reply that was asked about, which is not in the box
   */
  const submitDraft = async (
    what: Kind,
    solves: boolean,
    sendAt: Date | undefined,
    { taken: asked, seen: hasSeen = seen }: { taken?: Taken; seen?: readonly string[] } = {},
  ) => {
    const key = draftKey(of[what]);
    const { shared } = composer.get(key);
    const taken = asked ?? composer.take(key, view.replyCc, answered.address ?? '');
    const answers = taken.answers || null;
    const setProblem = (problem: string | null) => setProblems((all) => ({ ...all, [what]: problem }));
    setProblem(null);
    presenceReporter.typing(false);
    if (what === 'note') focusConversation();
    const attempt = `${what}:${conversationId}`;
    const { text: content, formatted, enclosed } = taken;
    const id = attemptId(
      attempt,
      what === 'reply' ? [content, formatted, enclosed, answers] : [content, formatted, enclosed.files],
    );
    const notSent = await (what === 'reply'
      ? sendReply(id, {
          ...taken,
          solves,
          sendAt,
          answers,
          seen: hasSeen,
          draftVersion: shared?.saving ?? shared?.version,
        })
      : add(id, taken));
    const sent = { conversationId, key, taken, solves, sendAt, seen: hasSeen };
    replies.settle({ ...sent, suggested: answered.suggested }, notSent);
    if (notSent === null) endAttempt(attempt);
    else if ('problem' in notSent) {
      setProblem(notSent.problem);
      if (document.activeElement?.matches('[data-messages]')) focusBox();
      // A toast also reaches users who moved on to another conversation.
      toast.error(FAILED[what], { description: notSent.problem });
    }
  };

  return {
    kind,
    box,
    text,
    formatted,
    change: (next: string, formatting: FormattedText | null) => {
      setText(next, formatting);
      presenceReporter.typing(next.trim() !== '');
    },
    select: composer.select,
    problem: problems[kind] ?? null,
    drafts,
    refusedCommand: kind === 'reply' && refused === text ? refused : null,
    isAdding,
    enclosures,
    noteFiles,
    answered,
    pending: { replies: pending, undo, discard },
    restore,
    draftRun: run,
    setDraftRun: setRun,
    show: (what: Kind) => composer.show(conversationId, { kind: what }),
    write,
    focusBox,
    /**
     * Sends the draft. Text that is a command is never sent to the contact: it opens the command form or is refused.
     * `solves` also solves the conversation. `sendAt` sends a reply later.
     */
    submit: (solves: boolean, sendAt?: Date) => {
      const typed = readCommand(text);
      setRefused(null);
      if (typed && listensFor(view.commands, typed.command)) setRun({ ...typed, isTyped: true });
      else if (kind === 'reply' && startsWithCommand(text)) setRefused(text);
      else void submitDraft(kind, solves, sendAt);
    },
    question,
    /** Sends the reply that the question is about, despite the additions. What was written since stays in the box. */
    sendAnyway: () => {
      if (!question) return;
      composer.ask(conversationId, null);
      void submitDraft('reply', question.solves, question.sendAt, question);
    },
    keepEditing: () => {
      if (!question) return;
      composer.restore(draftKey(of.reply), question.taken, answered.suggested);
      setSeen(question.seen);
      composer.ask(conversationId, null);
      write('reply');
    },
    /** Opens the command form with the text after the command as details. */
    chooseCommand: (command: string) => {
      const details = text.replace(/^\/\S*\s*/, '').trim();
      setRun({ command, details, isTyped: true });
    },
    onRan: ({ isTyped }: CommandRun) => {
      setRun(null);
      if (isTyped) composer.clear(draftKey(of[kind]), text);
    },
  };
}

function takenFrom({ content: text, formatted, answers, ...enclosed }: CancelledReply): Taken {
  return { text, formatted, answers, enclosed };
}

/** Returns whether the box shows the version of the shared draft to which a cancelled reply was returned, and otherwise replaces it. */
function isDraftShown(view: ComposerView, version: number): Promise<boolean> {
  return import('#app/components/composer/shared-drafts.ts').then(
    ({ sharedDrafts }) => sharedDrafts.returned(view, version),
    () => false,
  );
}

/** Follows the draft that teammates share, once there is one. */
function useSharedDraft(view: ComposerView, isEmpty: boolean): void {
  useEffect(() => {
    if (view.draft || !isEmpty)
      void import('#app/components/composer/shared-drafts.ts').then(
        ({ sharedDrafts }) => sharedDrafts.follow(view),
        () => undefined,
      );
  }, [view, isEmpty]);
}

/** Mounts the composer of a conversation. Returns what it shows, and its text box, which it focuses on request. */
function useShown(conversationId: string, onScreen: Shown | null) {
  const box = useRef<BoxHandle>(null);
  const shown = onScreen?.conversationId === conversationId ? onScreen : null;
  useLayoutEffect(() => composer.open(conversationId), [conversationId]);
  const focus = shown?.focus;
  // Together with a restored text: a key pressed in between would reach the page.
  useLayoutEffect(() => {
    if (focus) box.current?.focus(focus.caret, focus.insert);
  }, [focus]);
  return { kind: shown?.kind ?? 'reply', run: shown?.run ?? null, box };
}
