/** A workflow that listens or listened, as people distinguish it from others: what starts it, its filter, whose it is. */
export type HookName = { id: string; eventName: string; filter: string | null; teammateName: string };

/** A workflow that was removed, and why. */
export type RemovedHook = HookName & { removedAt: Date; why: string; whatToDo: string | null };

/** The workflows of a workspace, newest first; of those removed only the newest. */
export type HooksView = { live: HookName[]; removed: RemovedHook[] };

/** How deliveries to a live hook go. `errors` counts events in a row; with `errorsMax` of them it is removed. */
export type HookHealth =
  | { kind: 'failing'; since: Date; errors: number; errorsMax: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed' | 'quiet' | 'normal' };

/** How deliveries of a connection go: the worst of its hooks, and of how many it is true. `idle`: it has no hook. */
export type ConnectionHealth =
  | { kind: 'failing'; since: Date; workflows: number }
  | { kind: 'unanswered' | 'retrying' | 'slowed'; workflows: number }
  | { kind: 'idle' | 'quiet' | 'normal' };
