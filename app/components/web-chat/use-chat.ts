'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import {
  ChatProblem,
  type Draft,
  fetchChat,
  sendMessage,
  sendRating,
} from '#app/components/web-chat/chat-api.ts';
import { followChanges } from '#app/components/web-chat/follow-changes.ts';
import type { ChatView } from '#server/screens/web-chat/views.ts';

/** A message on its way; `problem` says why it did not arrive. */
export type Outgoing = Draft & { problem: string | null };

const EMPTY: ChatView = {
  conversationId: null,
  messages: [],
  ended: null,
  rating: null,
  isIntroduced: false,
};
const FAULT = 'Something went wrong. Try again.';

/** What a visitor sees and does. `view` null: not read yet. */
export function useChat(workspaceId: string) {
  const [view, setView] = useState<ChatView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [outbox, setOutbox] = useState<Outgoing[]>([]);
  /** A response that was asked for earlier must not replace a later one. */
  const asked = useRef(0);

  const show = useCallback((next: ChatView) => {
    asked.current += 1;
    setView(next);
    setProblem(null);
  }, []);

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    try {
      const next = await fetchChat(workspaceId);
      if (turn === asked.current) show(next ?? EMPTY);
    } catch (error) {
      if (turn === asked.current) setProblem(sentenceOf(error));
    }
  }, [workspaceId, show]);

  useEffect(() => void refresh(), [refresh]);

  const conversationId = view?.conversationId ?? null;
  useEffect(() => {
    if (conversationId === null) return;
    return followChanges(workspaceId, () => void refresh());
  }, [workspaceId, conversationId, refresh]);

  /** Sends a message. Rejects with what is wrong with a field, and then it is no longer on its way. */
  async function send(draft: Draft): Promise<void> {
    const others = (waiting: Outgoing[]) => waiting.filter(({ id }) => id !== draft.id);
    setOutbox((waiting) => [...others(waiting), { ...draft, problem: null }]);
    try {
      show(await sendMessage(workspaceId, draft));
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
    show(await sendRating(workspaceId, rating));
  }

  // What the service has is no longer on its way, also when its response was lost.
  const arrived = new Set(view?.messages.map(({ clientId }) => clientId));
  return {
    view,
    problem,
    outbox: outbox.filter(({ id }) => !arrived.has(id)),
    refresh,
    send,
    rate,
    /** Takes back what did not arrive. */
    discard: (id: string) => setOutbox((waiting) => waiting.filter((each) => each.id !== id)),
  };
}

/** What is said of a fault. */
export function sentenceOf(error: unknown): string {
  return error instanceof ChatProblem ? error.message : FAULT;
}
