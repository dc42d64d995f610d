'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import {
  ChatProblem,
  type Draft,
  fetchChat,
  sendMessage,
  sendRating,
} from '#app/components/web-chat/chat-api.ts';
import { type Following, followChanges } from '#app/components/web-chat/follow-changes.ts';
import type { ChatView } from '#server/screens/web-chat/views.ts';

/** A message being sent. `problem` is the reason after a failure. */
export type Outgoing = Draft & { problem: string | null };

const EMPTY: ChatView = {
  conversationId: null,
  messages: [],
  ended: null,
  rating: null,
  isIntroduced: false,
  closed: null,
};
const FAULT = 'Something went wrong. Try again.';

/** State and actions of the chat. `view` is null while loading. */
export function useChat(workspaceId: string) {
  const [view, setView] = useState<ChatView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outbox, setOutbox] = useState<Outgoing[]>([]);
  /** Sequence number: an older response must not replace a newer one. */
  const sequence = useRef(0);

  const show = useCallback((next: ChatView) => {
    sequence.current += 1;
    setView(next);
    setProblem(null);
  }, []);

  const refresh = useCallback(async () => {
    sequence.current += 1;
    const current = sequence.current;
    try {
      const next = await fetchChat(workspaceId);
      if (current === sequence.current) show(next ?? EMPTY);
    } catch (error) {
      if (current === sequence.current) setProblem(sentenceOf(error));
    }
  }, [workspaceId, show]);

  useEffect(() => void refresh(), [refresh]);

  const conversationId = view?.conversationId ?? null;
  const following = useRef<Following | null>(null);
  useEffect(() => {
    if (conversationId === null) return;
    const started = followChanges(workspaceId, () => void refresh());
    following.current = started;
    return started.stop;
  }, [workspaceId, conversationId, refresh]);

  /** Loads what was missed in the background: another tab may have written, or ended this page's event stream. */
  const catchUp = useCallback(() => {
    void refresh();
    following.current?.resume();
  }, [refresh]);

  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') catchUp();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [catchUp]);

  /** Shows the response to a write, or a newer view if a refresh has started in the meantime. */
  async function showResult(writing: Promise<ChatView>): Promise<void> {
    const { current } = sequence;
    const next = await writing;
    if (current === sequence.current) show(next);
    else await refresh();
  }

  /** Sends a message. Rejects with field errors, and then removes the message from the outbox. */
  async function send(draft: Draft): Promise<void> {
    const others = (waiting: Outgoing[]) => waiting.filter(({ id }) => id !== draft.id);
    setOutbox((waiting) => [...others(waiting), { ...draft, problem: null }]);
    try {
      await showResult(sendMessage(workspaceId, draft));
      setOutbox(others);
    } catch (error) {
      if (error instanceof ChatProblem && Object.keys(error.fields).length > 0) {
        setOutbox(others);
        throw error;
      }
      setOutbox((waiting) => [...others(waiting), { ...draft, problem: sentenceOf(error) }]);
    }
  }

  async function rate(rating: { score: number; comment: string }): Promise<void> {
    await showResult(sendRating(workspaceId, rating));
  }

  // Stored messages leave the outbox even when their response was lost.
  const arrived = new Set(view?.messages.map(({ clientId }) => clientId));
  return {
    view,
    problem,
    outbox: outbox.filter(({ id }) => !arrived.has(id)),
    refresh,
    catchUp,
    send,
    rate,
    /** Discards a failed message. */
    discard: (id: string) => setOutbox((waiting) => waiting.filter((each) => each.id !== id)),
  };
}

/** Returns the error sentence for visitors. */
export function sentenceOf(error: unknown): string {
  return error instanceof ChatProblem ? error.message : FAULT;
}
