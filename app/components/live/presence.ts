import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** A teammate who has a conversation open. */
export type Present = { userId: string; name: string; isTyping: boolean };

/** The conversations that a teammate has open, as received. Empty when they have left. */
type Teammate = { userId: string; name: string; open: { conversationId: string; isTyping: boolean }[] };

const NOBODY: readonly Present[] = [];

type State = { teammates: Readonly<Record<string, Teammate>>; present: Readonly<Record<string, Present[]>> };

const store = createStore<State>(() => ({ teammates: {}, present: {} }));

/** Applies an event of the live stream. A complete one replaces everything that is known. */
export function receivePresence(data: string): void {
  const event = JSON.parse(data) as { isComplete: boolean; teammates: Teammate[] };
  const before = event.isComplete ? {} : store.getState().teammates;
  const changed = Object.fromEntries(event.teammates.map((teammate) => [teammate.userId, teammate]));
  show({ ...before, ...changed });
}

/** Forgets everything, because the stream is closed. */
export function forgetPresence(): void {
  if (Object.keys(store.getState().teammates).length > 0) show({});
}

function show(teammates: Record<string, Teammate>): void {
  const here = Object.entries(teammates).filter(([, { open }]) => open.length > 0);
  const all = here.flatMap(([, { userId, name, open }]) =>
    open.map(({ conversationId, isTyping }) => ({ conversationId, who: { userId, name, isTyping } })),
  );
  const present: Record<string, Present[]> = {};
  for (const { conversationId, who } of all)
    present[conversationId] = [...(present[conversationId] ?? []), who];
  store.setState({ teammates: Object.fromEntries(here), present });
}

/** Returns the other teammates who have a conversation open. */
export function usePresent(conversationId: string): readonly Present[] {
  return useStore(store, ({ present }) => present[conversationId] ?? NOBODY);
}
