import type { Db } from '#server/db.ts';

/** What may be typed as a command in a workspace. */
export type ListenedCommands = {
  /** The commands that a live hook listens for, sorted, each once. */
  names: string[];
  /** A hook without a command filter listens for every command, so any name may be typed. */
  anyName: boolean;
};

/** The commands that live hooks of a workspace listen for, whichever connection they are of (spec.md §1). */
export async function listCommands(db: Db, workspaceId: string): Promise<ListenedCommands> {
  const hooks = await db.hook.findMany({
    where: { workspaceId, event: 'operator.command', removedAt: null },
    select: { command: true },
    distinct: ['command'],
  });
  return {
    names: hooks.flatMap(({ command }) => command ?? []).sort(),
    anyName: hooks.some(({ command }) => command === null),
  };
}
