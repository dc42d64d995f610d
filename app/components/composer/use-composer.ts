'use client';

import { useEffect, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { type DraftOf, readDraft, saveDraft, withDraft } from '#app/components/composer/drafts.ts';
import type { CommandRun } from '#app/components/composer/run-command-button.tsx';
import { listensFor } from '#app/components/composer/suggest-commands.ts';
import { readCommand, startsWithCommand } from '#app/components/composer/typed-token.ts';
import { useDraft } from '#app/components/composer/use-draft.ts';
import { useEnclosures } from '#app/components/composer/use-enclosures.ts';
import { usePendingReplies } from '#app/components/composer/use-pending-replies.ts';
import { addNote } from '#app/components/inbox/actions.ts';
import { leaveSolved } from '#app/components/inbox/open-neighbour.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { refetchTopic } from '#app/components/live/refetch-topic.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { AfterSolving, ComposerView, Enclosures } from '#server/screens/inbox/views.ts';

export type Kind = DraftOf['kind'];

const FAILED: Record<Kind, string> = { reply: 'The reply was not sent', note: 'The note was not added' };

/** State and actions of the composer. */
export function useComposer(view: ComposerView, afterSolving: AfterSolving) {
  const { conversationId, you, mergedInto } = view;
  const [kind, setKind] = useState<Kind>('reply');
  const [problems, setProblems] = useState<Partial<Record<Kind, string | null>>>({});
  const [isAdding, setIsAdding] = useState(false);
  const [draftRun, setDraftRun] = useState<CommandRun | null>(null);
  /** A reply that starts with an unknown command, until the text changes. */
  const [refused, setRefused] = useState<string | null>(null);
  const drafts = {
    reply: useDraft({ userId: you.id, conversationId, kind: 'reply' }),
    note: useDraft({ userId: you.id, conversationId, kind: 'note' }),
  };
  const enclosures = useEnclosures({
    workspaceId: view.workspaceId,
    conversationId,
    filesMax: view.filesMax,
    suggestedCc: view.replyCc,
  });
  const { box, focusBox } = useBoxFocus();
  /** Functions that return to this conversation after it was left, by the id of the reply that solves it. */
  const [goBacks] = useState(() => new Map<string, () => void>());
  const draft = drafts[kind];

  const write = (what: Kind) => {
    setKind(what);
    focusBox();
  };
  /** Restores a cancelled reply. After a merge, restores it as a draft of the target conversation. */
  const restoreDraft = (content: string, enclosed: Enclosures) => {
    if (!mergedInto) {
      drafts.reply.restore(content);
      enclosures.restore(enclosed);
      write('reply');
      return;
    }
    const of: DraftOf = { userId: you.id, conversationId: mergedInto.id, kind: 'reply' };
    saveDraft(of, withDraft(content, readDraft(of)));
    showInbox(`/inbox?selected=${mergedInto.id}`);
  };
  const pending = usePendingReplies({ view, restoreDraft });

  /** Resolves with the error sentence, or null. */
  const add = async (content: string): Promise<string | null> => {
    setIsAdding(true);
    const outcome = await addNote({ conversationId, content }).catch(notReached);
    setIsAdding(false);
    void refetchTopic('conversations');
    return outcome.done ? null : outcome.problem;
  };
  /** Sends a reply. A reply that solves opens the preferred next conversation, and a toast offers Undo. */
  const sendReply = (reply: { content: string; solves: boolean; enclosed: Enclosures }) => {
    const id = uuidv7();
    const sent = pending.send(id, reply);
    const goBack = reply.solves ? leaveSolved(conversationId, afterSolving) : null;
    if (goBack) {
      goBacks.set(id, goBack);
      toast('Sending, then solving', { action: { label: 'Undo', onClick: () => void undo(id) } });
    } else focusBox();
    return sent;
  };
  /** Cancels a reply and shows its conversation again. */
  const undo = async (id: string) => {
    if (await pending.undo(id)) goBacks.get(id)?.();
  };
  /** Clears the box immediately. On refusal, restores the text and shows the error. */
  const submitDraft = async (what: Kind, content: string, solves: boolean) => {
    const submission = drafts[what].take();
    const enclosed = what === 'reply' ? enclosures.take() : null;
    const setProblem = (problem: string | null) => setProblems((all) => ({ ...all, [what]: problem }));
    setProblem(null);
    if (!enclosed) focusBox();
    const problem = await (enclosed ? sendReply({ content, solves, enclosed }) : add(content));
    if (problem !== null) {
      drafts[what].restore(content);
      if (enclosed) enclosures.restore(enclosed);
      setProblem(problem);
      // A toast also reaches users who moved on to another conversation.
      toast.error(FAILED[what], { description: problem });
    }
    submission.submitted();
  };

  return {
    kind,
    box,
    text: draft.text,
    change: draft.change,
    problem: problems[kind] ?? null,
    refusedCommand: kind === 'reply' && refused === draft.text ? refused : null,
    isAdding,
    enclosures,
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
      else void submitDraft(kind, draft.text, solves);
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

/** Returns the text box and a function that focuses its end, even before it is mounted. */
function useBoxFocus() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [requests, setRequests] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (requests === 0 || !element) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [requests]);
  return { box, focusBox: () => setRequests((count) => count + 1) };
}
