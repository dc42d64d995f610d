import { pluralize } from '#app/lib/format-count.ts';
import type { ListenedCommands, Listeners } from '#server/screens/inbox/views.ts';

/** A command to choose, and what running it starts, as a phrase. */
export type CommandChoice = { name: string; starts: string };

const NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;

/** Whether anything listens for commands at all. */
export function listensForCommands({ commands, any }: ListenedCommands): boolean {
  return commands.length > 0 || any !== null;
}

/** Whether something listens for a command. */
export function listensFor({ commands, any }: ListenedCommands, name: string): boolean {
  return any !== null || commands.some((command) => command.name === name);
}

/**
 * The commands that a typed beginning may mean: those that begin so, then those that hold it; and the typed name
 * itself where a workflow listens for every command.
 */
export function suggestCommands(query: string, listened: ListenedCommands): CommandChoice[] {
  const wanted = query.toLowerCase();
  const names = listened.commands.map(({ name }) => name);
  const begin = names.filter((name) => name.startsWith(wanted));
  const hold = names.filter((name) => !name.startsWith(wanted) && name.includes(wanted));
  const own = listened.any && NAME.test(wanted) && !names.includes(wanted) ? [wanted] : [];
  return [...begin, ...hold, ...own].map((name) => ({ name, starts: describeStarts(name, listened) }));
}

/** What running a command starts: how many workflows, and through whose connections. */
export function describeStarts(name: string, { commands, any }: ListenedCommands): string {
  const listeners = [commands.find((command) => command.name === name), any].filter(isThere);
  const workflows = listeners.reduce((sum, each) => sum + each.workflows, 0);
  if (workflows === 0) return 'No workflow listens for it';
  const teammates = [...new Set(listeners.flatMap((each) => each.teammates))].sort();
  return `Starts ${pluralize(workflows, 'workflow')} of ${new Intl.ListFormat('en').format(teammates)}`;
}

function isThere(listeners: Listeners | null | undefined): listeners is Listeners {
  return listeners != null;
}
