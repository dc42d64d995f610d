'use client';

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { DraftOf } from '#app/components/composer/drafts.ts';
import { focusConversation } from '#app/components/composer/focus-conversation.ts';
import { onInsertSavedReply } from '#app/components/composer/insert-saved-reply.ts';
import type { CommandRun } from '#app/components/composer/run-command-button.tsx';
import { listensFor } from '#app/components/composer/suggest-commands.ts';
import { readCommand, startsWithCommand } from '#app/components/composer/typed-token.ts';
import { setUnseenQuestion, useUnseenQuestion } from '#app/components/composer/unseen-question.ts';
import { useAnswered } from '#app/components/composer/use-answered.ts';
import { restoreText, useDraft } from '#app/components/composer/use-draft.ts';
import { restoreEnclosures, useEnclosures } from '#app/components/composer/use-enclosures.ts';
import {
  type NotScheduled,
  usePendingReplies,
  type WrittenReply,
} from '#app/components/composer/use-pending-replies.ts';
import { addNote } from '#app/components/inbox/actions.ts';
import { leaveSolved } from '#app/components/inbox/open-neighbour.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { presenceReporter } from '#app/components/live/presence-reporter.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { toast } from '#app/components/ui/toast.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView, Enclosures } from '#server/screens/inbox/composer-views.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

export type Kind = DraftOf['kind'];

const FAILED: Record<Kind, string> = { reply: 'The reply was not sent', note: 'The note was not added' };

/** Maximum number of ids of what the writer has seen. */
const SEEN_MAX = 100;

/**
 * State and actions of the composer.
 * @param shown ids of the messages, notes and pending replies on screen, oldest first
 */
export function useComposer(view: ComposerView, afterSolving: AfterSolving, shown: readonly string[]) {
  const { conversationId, you, mergedInto } = view;
  const [kind, setKind] = useState<Kind>('reply');
  const [problems, setProblems] = useState<Partial<Record<Kind, string | null>>>({});
  const [isAdding, setIsAdding] = useState(false);
  const [draftRun, setDraftRun] = useState<CommandRun | null>(null);
  /** A reply that starts with an unknown command, until the text changes. */
  const [refused, setRefused] = useState<string | null>(null);
  const replyDraft: DraftOf = { userId: you.id, conversationId, kind: 'reply' };
  const noteDraft: DraftOf = { ...replyDraft, kind: 'note' };
  const drafts = { reply: useDraft(replyDraft), note: useDraft(noteDraft) };
  const enclosures = useEnclosures({
    workspaceId: view.workspaceId,
    filesMax: view.filesMax,
    draftOf: replyDraft,
    suggestedCc: view.replyCc,
  });
  const answered = useAnswered(view.otherAuthor, drafts.reply.text === '' && enclosures.files.length === 0);
  const { box, focusBox } = useBoxFocus();
  /** Functions that return to this conversation after it was left, by the id of the reply that solves it. */
  const [goBacks] = useState(() => new Map<string, () => void>());
  const draft = drafts[kind];
  const seen = useSeen(shown, drafts.reply.text === '' && enclosures.files.length === 0);
  const question = useUnseenQuestion(conversationId);

  const change = (text: string) => {
    draft.change(text);
    presenceReporter.typing(text.trim() !== '');
  };
  const write = (what: Kind) => {
    setKind(what);
    focusBox();
  };
  /** Restores a cancelled reply. After a merge, restores it as a draft of the target conversation. */
  const restoreDraft = (content: string, enclosed: Enclosures) => {
    const of = { ...replyDraft, conversationId: mergedInto?.id ?? conversationId };
    restoreText(of, content);
    restoreEnclosures(of, enclosed);
    if (mergedInto) showInbox(`/inbox?selected=${mergedInto.id}`);
    else write('reply');
  };
  const pending = usePendingReplies({ view, shown, restoreDraft });
  const insertSaved = useEffectEvent((saved: OfferedSavedReply) => {
    const { text } = drafts.reply;
    const element = kind === 'reply' ? box.current : null;
    const before = text.slice(0, element?.selectionStart) + saved.content;
    drafts.reply.change(element ? before + text.slice(element.selectionEnd) : before);
    enclosures.addSavedReply(saved);
    presenceReporter.typing(true);
    setKind('reply');
    focusBox(before.length);
  });
  useEffect(() => onInsertSavedReply((saved) => insertSaved(saved)), []);

  const add = async (id: string, content: string): Promise<NotScheduled | null> => {
    setIsAdding(true);
    const outcome = await addNote({ conversationId, id, content }).catch(notReached);
    setIsAdding(false);
    void refetchTopic('conversations');
    return outcome.done ? null : { problem: outcome.problem };
  };
  /** Opens the preferred next conversation, and offers Undo in a toast. Returns false if this one is not open. */
  const leave = (id: string): boolean => {
    const goBack = leaveSolved(conversationId, afterSolving);
    if (!goBack) return false;
    goBacks.set(id, goBack);
    toast('Sending, then solving', { action: { label: 'Undo', onClick: () => void undo(id) } });
    return true;
  };
  /** Sends a reply. A reply that solves leaves the conversation. */
  const sendReply = async (id: string, reply: WrittenReply): Promise<NotScheduled | null> => {
    // Stay on this conversation, because the server will ask about the new items.
    const mayAsk = shown.some((item) => !reply.seen.includes(item));
    if (!reply.solves || mayAsk || !leave(id)) focusConversation();
    const refused = await pending.send(id, reply);
    if (refused === null && reply.solves && mayAsk) leave(id);
    if (refused && 'unseen' in refused) {
      const ids = refused.unseen.map((item) => item.id);
      const all = [...reply.seen, ...ids].slice(-SEEN_MAX);
      setUnseenQuestion({ conversationId, solves: reply.solves, unseen: refused.unseen, seen: all });
      goBacks.get(id)?.();
    }
    return refused;
  };
  /** Cancels a reply and shows its conversation again. */
  const undo = async (id: string) => {
    if (await pending.undo(id)) goBacks.get(id)?.();
  };
  /** Clears the box immediately. On refusal, restores the text and shows the error or the question. */
  const submitDraft = async (
    what: Kind,
    content: string,
    { solves, seenIds = seen.current }: { solves: boolean; seenIds?: readonly string[] },
  ) => {
    const submission = drafts[what].take();
    const enclosed = what === 'reply' ? enclosures.take() : null;
    const setProblem = (problem: string | null) => setProblems((all) => ({ ...all, [what]: problem }));
    setProblem(null);
    presenceReporter.typing(false);
    if (!enclosed) focusConversation();
    const attempt = `${what}:${conversationId}`;
    const answers = answered.address;
    const id = attemptId(attempt, [content, enclosed, answers]);
    const refused = await (enclosed
      ? sendReply(id, { content, solves, answers, enclosed, seen: seenIds })
      : add(id, content));
    if (refused === null) endAttempt(attempt);
    else {
      restoreText(what === 'reply' ? replyDraft : noteDraft, content);
      if (enclosed) restoreEnclosures(replyDraft, enclosed);
    }
    if (refused && 'problem' in refused) {
      setProblem(refused.problem);
      if (document.activeElement?.matches('[data-messages]')) focusBox();
      // A toast also reaches users who moved on to another conversation.
      toast.error(FAILED[what], { description: refused.problem });
    }
    submission.submitted();
  };

  return {
    kind,
    box,
    text: draft.text,
    change,
    problem: problems[kind] ?? null,
    refusedCommand: kind === 'reply' && refused === draft.text ? refused : null,
    isAdding,
    enclosures,
    answered,
    pending: { ...pending, undo },
    draftRun,
    setDraftRun,
    show: setKind,
    write,
    focusBox,
    /**
     * Sends the draft. Text that is a command is never sent to the contact: it opens the command form or is refused.
     * `solves` also solves the conversation.
     */
    submit: (solves: boolean) => {
      const typed = readCommand(draft.text);
      setRefused(null);
      if (typed && listensFor(view.commands, typed.command)) setDraftRun({ ...typed, isTyped: true });
      else if (kind === 'reply' && startsWithCommand(draft.text)) setRefused(draft.text);
      else void submitDraft(kind, draft.text, { solves });
    },
    question,
    /** Sends the reply that the question is about, despite the additions. */
    sendAnyway: () => {
      if (!question) return;
      setUnseenQuestion(null);
      void submitDraft('reply', drafts.reply.text, { solves: question.solves, seenIds: question.seen });
    },
    keepEditing: () => {
      if (!question) return;
      seen.current = question.seen;
      setUnseenQuestion(null);
      write('reply');
    },
    /** Opens the command form with the text after the command as details. */
    chooseCommand: (command: string) => {
      const details = draft.text.replace(/^\/\S*\s*/, '').trim();
      setDraftRun({ command, details, isTyped: true });
    },
    onRan: ({ isTyped }: CommandRun) => {
      setDraftRun(null);
      if (isTyped) draft.change('');
    },
  };
}

/** Returns what the writer of a reply saw on screen when they began to write. */
function useSeen(shown: readonly string[], isEmpty: boolean) {
  const seen = useRef(shown);
  useEffect(() => {
    if (isEmpty) seen.current = shown;
  });
  return seen;
}

/** Returns the text box and a function that focuses it at a caret position or its end, even before it is mounted. */
function useBoxFocus() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [request, setRequest] = useState<{ caret: number | undefined } | null>(null);
  // Together with a restored text: a key pressed in between would reach the page.
  useLayoutEffect(() => {
    const element = box.current;
    if (request === null || !element) return;
    element.focus();
    const caret = request.caret ?? element.value.length;
    element.setSelectionRange(caret, caret);
  }, [request]);
  return { box, focusBox: (caret?: number) => setRequest({ caret }) };
}
