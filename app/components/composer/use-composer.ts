'use client';

import { useEffect, useRef, useState } from 'react';
import { type DraftOf, keepDraft, readDraft, withDraft } from '#app/components/composer/drafts.ts';
import type { WantedRun } from '#app/components/composer/run-command-button.tsx';
import { listensFor } from '#app/components/composer/suggest-commands.ts';
import { beginsAsCommand, readCommand } from '#app/components/composer/typed-token.ts';
import { useDraft } from '#app/components/composer/use-draft.ts';
import { useEnclosures } from '#app/components/composer/use-enclosures.ts';
import { usePendingReplies } from '#app/components/composer/use-pending-replies.ts';
import { addNote } from '#app/components/inbox/actions.ts';
import { showInbox } from '#app/components/inbox/show-inbox.ts';
import { showAgain } from '#app/components/live/show-again.ts';
import { toast } from '#app/components/ui/toast.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { ComposerView, Enclosures } from '#server/screens/inbox/views.ts';

/** What is written: a reply to the contact, or a note to the team. */
export type Kind = DraftOf['kind'];

const FAILED: Record<Kind, string> = { reply: 'The reply was not sent', note: 'The note was not added' };

/** What a composer holds while somebody writes, and what its buttons do. */
export function useComposer(view: ComposerView) {
  const { conversationId, you, mergedInto } = view;
  const [kind, setKind] = useState<Kind>('reply');
  const [problems, setProblems] = useState<Partial<Record<Kind, string | null>>>({});
  const [isAdding, setIsAdding] = useState(false);
  const [wanted, setWanted] = useState<WantedRun | null>(null);
  /** A reply that begins with a command which nothing listens for, until it is changed. */
  const [refused, setRefused] = useState<string | null>(null);
  const drafts = {
    reply: useDraft({ userId: you.id, conversationId, kind: 'reply' }),
    note: useDraft({ userId: you.id, conversationId, kind: 'note' }),
  };
  const enclosures = useEnclosures({
    workspaceId: view.workspaceId,
    filesMax: view.filesMax,
    suggestedCc: view.replyCc,
  });
  const { box, focusBox } = useBoxFocus();
  const draft = drafts[kind];

  const write = (what: Kind) => {
    setKind(what);
    focusBox();
  };
  /** In a merged conversation nothing is written: what comes back goes where the conversation went. */
  const restoreDraft = (content: string, enclosed: Enclosures) => {
    if (!mergedInto) {
      drafts.reply.restore(content);
      enclosures.restore(enclosed);
      write('reply');
      return;
    }
    const of: DraftOf = { userId: you.id, conversationId: mergedInto.id, kind: 'reply' };
    keepDraft(of, withDraft(content, readDraft(of)));
    showInbox(`/inbox?selected=${mergedInto.id}`);
  };
  const pending = usePendingReplies({ view, restoreDraft });

  /** Resolves with the sentence that says why it was not added, or null. */
  const add = async (content: string): Promise<string | null> => {
    setIsAdding(true);
    const outcome = await addNote({ conversationId, content }).catch(notReached);
    setIsAdding(false);
    void showAgain('conversations');
    return outcome.done ? null : outcome.problem;
  };
  /** Empties the box at once; refused, the text is back in it, with why. */
  const handOver = async (what: Kind, content: string, solves: boolean) => {
    const taken = drafts[what].take();
    const enclosed = what === 'reply' ? enclosures.take() : null;
    const setProblem = (problem: string | null) => setProblems((all) => ({ ...all, [what]: problem }));
    setProblem(null);
    focusBox();
    const problem = await (enclosed ? pending.send(content, solves, enclosed) : add(content));
    if (problem !== null) {
      drafts[what].restore(content);
      if (enclosed) enclosures.restore(enclosed);
      setProblem(problem);
      // Also for those who have gone on to another conversation.
      toast.error(FAILED[what], { description: problem });
    }
    taken.submitted();
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
    pending,
    wanted,
    setWanted,
    show: setKind,
    write,
    focusBox,
    /** Sends what is written. A text that is a command never goes to the contact: it opens the form, or is refused. `solves`: the conversation with it. */
    submit: (solves: boolean) => {
      const typed = readCommand(draft.text);
      setRefused(null);
      if (typed && listensFor(view.commands, typed.command)) setWanted({ ...typed, isTyped: true });
      else if (kind === 'reply' && beginsAsCommand(draft.text)) setRefused(draft.text);
      else void handOver(kind, draft.text, solves);
    },
    /** A command was chosen while typing it; what follows it are the details. */
    chooseCommand: (command: string) => {
      const details = draft.text.replace(/^\/\S*\s*/, '').trim();
      setWanted({ command, details, isTyped: true });
    },
    onRan: ({ isTyped }: WantedRun) => {
      setWanted(null);
      if (isTyped) draft.change('');
    },
  };
}

/** The text box, and what puts the keyboard at its end, also when it has yet to be drawn. */
function useBoxFocus() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [wishes, setWishes] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (wishes === 0 || !element) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [wishes]);
  return { box, focusBox: () => setWishes((count) => count + 1) };
}
