import { listensForCommands, suggestCommands } from '#app/components/composer/suggest-commands.ts';
import { mentionOf, suggestMentions } from '#app/components/composer/suggest-mentions.ts';
import type { TypedToken } from '#app/components/composer/typed-token.ts';
import type { ComposerView } from '#server/screens/inbox/views.ts';

/** What the composer offers for what is being typed: teammates after an `@`, commands after a `/`. */
export function makeSuggest(
  { mentionable, commands }: Pick<ComposerView, 'mentionable' | 'commands'>,
  onCommand: (name: string) => void,
): (token: TypedToken) => Suggestions {
  return ({ sign, query }) => {
    if (sign === '@') {
      const all = suggestMentions(query, mentionable).map((teammate) => ({
        key: teammate.id,
        title: teammate.name,
        hint: teammate.email,
        choice: { completion: mentionOf(teammate, mentionable) },
      }));
      return { name: 'Teammates', all };
    }
    if (!listensForCommands(commands)) {
      const title = 'No workflow listens for commands yet';
      const choice = { run: () => onCommand('') };
      return { name: 'Commands', all: [{ key: '', title, hint: 'How to get one', choice }] };
    }
    const all = suggestCommands(query, commands).map(({ name, starts }) => ({
      key: name,
      title: `/${name}`,
      hint: starts,
      choice: { run: () => onCommand(name) },
    }));
    return { name: 'Commands', all };
  };
}

/** Something offered while typing. */
export type Suggestion = {
  key: string;
  title: string;
  hint: string;
  /** Replaces the typed text, or runs an action instead. */
  choice: { completion: string } | { run: () => void };
};

/** Suggestions for the typed text, with the name of their list. There are none when `all` is empty. */
export type Suggestions = { name: string; all: Suggestion[] };
