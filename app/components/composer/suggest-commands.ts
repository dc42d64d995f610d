import type { ListenedCommands, Listeners } from '#server/screens/inbox/composer-views.ts';

/** A command and a phrase that describes what it runs. */
export type CommandChoice = { name: string; runs: string };

const NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;

/**
 * Returns the commands that match the typed text: prefix matches first, then substring matches. Includes the typed
 * name where a workflow listens for every command.
 */
export function suggestCommands(query: string, listened: ListenedCommands): CommandChoice[] {
  const typed = query.toLowerCase();
  const names = listened.commands.map(({ name }) => name);
  const byPrefix = names.filter((name) => name.startsWith(typed));
  const bySubstring = names.filter((name) => !name.startsWith(typed) && name.includes(typed));
  const asTyped = listened.any && NAME.test(typed) && !names.includes(typed) ? [typed] : [];
  return [...byPrefix, ...bySubstring, ...asTyped].map((name) => ({
    name,
    runs: describeRuns(name, listened),
  }));
}

/** Describes what a command runs: the number of workflows and their teammates. */
export function describeRuns(name: string, { commands, any }: ListenedCommands): string {
  const listeners = [commands.find((command) => command.name === name), any].filter(isPresent);
  const workflows = listeners.reduce((sum, each) => sum + each.workflows, 0);
  if (workflows === 0) return 'No workflow listens for this command';
  const teammates = [...new Set(listeners.flatMap((each) => each.teammates))].sort();
  return `Runs ${workflows} of ${new Intl.ListFormat('en').format(teammates)}’s workflows`;
}

function isPresent(listeners: Listeners | null | undefined): listeners is Listeners {
  return listeners != null;
}
