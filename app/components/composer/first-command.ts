import { pressTarget } from '#app/components/shell/press-target.ts';

// Stored here because the composer, which opens the form, is part of the page's first scripts.

/** The command of the next form. Empty: the form chooses. */
let command = '';

/** Opens the command form on screen with a command. */
export function openCommandForm(name: string): void {
  command = name;
  if (!pressTarget({ target: 'command' })) command = '';
}

export function firstCommand(): string {
  return command;
}

export function forgetFirstCommand(): void {
  command = '';
}
