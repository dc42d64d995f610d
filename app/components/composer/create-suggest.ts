import { listensForCommands, suggestCommands } from '#app/components/composer/suggest-commands.ts';
import { mentionOf, suggestMentions } from '#app/components/composer/suggest-mentions.ts';
import type { TypedToken } from '#app/components/composer/typed-token.ts';
import type { ComposerView } from '#server/screens/inbox/views.ts';

/** Returns suggestions for the typed token: teammates after `@`, commands after `/`. */
export function createSuggest(
  { mentionable, commands }: Pick<ComposerView, 'mentionable' | 'commands'>,
  onCommand: (name: string) => void,
): (token: TypedToken) => Suggestions {
  return ({ trigger, query }) => {
    if (trigger === '@') {
      const all = suggestMentions(query, mentionable).map((teammate) => ({
        key: teammate.id,
        title: teammate.name,
        hint: teammate.email,
        choice: { completion: mentionOf(teammate, mentionable) },
      }));
      return { name: 'Teammates', all };
    }
    if (!listensForCommands(commands)) {
      const title = 'No commands yet';
      const choice = { run: () => onCommand('') };
      return { name: 'Commands', all: [{ key: '', title, hint: 'How to get one', choice }] };
    }
    const all = suggestCommands(query, commands).map(({ name, runs }) => ({
      key: name,
      title: `/${name}`,
      hint: runs,
      choice: { run: () => onCommand(name) },
    }));
    return { name: 'Commands', all };
  };
}

export type Suggestion = {
  key: string;
  title: string;
  hint: string;
  /** Replaces the typed text, or runs an action instead. */
  choice: { completion: string } | { run: () => void };
};

/** Suggestions and the accessible name of their list. */
export type Suggestions = { name: string; all: Suggestion[] };
