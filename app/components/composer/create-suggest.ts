import { suggestCommands } from '#app/components/composer/suggest-commands.ts';
import { mentionOf, suggestMentions } from '#app/components/composer/suggest-mentions.ts';
import { listensForCommands, type TypedToken } from '#app/components/composer/typed-token.ts';
import { awayWords } from '#app/lib/away-words.ts';
import { browserTimeZone } from '#app/lib/browser-time-zone.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

type Actions = { onCommand: (name: string) => void; onSaved: (saved: OfferedSavedReply) => void };

/**
 * Returns suggestions for the typed token: teammates after `@`, saved replies after `/`, and commands after a `/` at the
 * start of the text.
 */
export function createSuggest(
  { mentionable, commands }: Pick<ComposerView, 'mentionable' | 'commands'>,
  { onCommand, onSaved }: Actions,
): (token: TypedToken, offered: OfferedReplies) => Suggestions {
  const commandsFor = (query: string) =>
    suggestCommands(query, commands).map(({ name, runs }) => ({
      key: name,
      title: `/${name}`,
      hint: runs,
      choice: { run: () => onCommand(name) },
    }));
  return ({ trigger, query, start }, { replies, isLoading, areOffered }) => {
    if (trigger === '@') {
      const all = suggestMentions(query, mentionable).map((teammate) => ({
        key: teammate.id,
        title: teammate.name,
        hint: [
          ...(teammate.away ? [awayWords(teammate.away, browserTimeZone())] : []),
          ...(teammate.sees ? [] : ['Can’t see this conversation']),
          teammate.email,
        ].join(' · '),
        choice: { completion: mentionOf(teammate, mentionable) },
      }));
      return { name: 'Teammates', all };
    }
    const found: Suggestion[] = start === 0 ? commandsFor(query) : [];
    const saved = replies.map((reply) => savedReply(reply, onSaved));
    const isEmpty = saved.length === 0 && !isLoading && !listensForCommands(commands);
    const nothing = {
      key: '',
      title: nothingFound(areOffered, query),
      hint: 'How to create one',
      choice: { run: () => onCommand('') },
    };
    const all = start === 0 && isEmpty ? [nothing] : [...found, ...saved];
    const names = [
      ...(all.length > saved.length ? ['Commands'] : []),
      ...(saved.length > 0 ? ['Saved replies'] : []),
    ];
    return { name: names.join(' and '), all };
  };
}

function nothingFound(areOffered: boolean, query: string): string {
  if (!areOffered) return 'No commands yet';
  return query === '' ? 'No saved replies or commands yet' : 'No matching saved reply or command';
}

function savedReply(reply: OfferedSavedReply, onSaved: Actions['onSaved']): Suggestion {
  const { id, name, content } = reply;
  return {
    key: id,
    title: name,
    hint: savedReplyHint(reply),
    preview: reply,
    choice: { completion: content, after: '', onInserted: () => onSaved(reply) },
  };
}

/** Returns the folder and the first line of a saved reply. */
export function savedReplyHint({ folder, content }: OfferedSavedReply): string {
  const firstLine = content.slice(0, 200).split('\n', 1).join();
  return folder === '' ? firstLine : `${folder} · ${firstLine}`;
}

/**
 * Saved replies for the text after `/`. `areOffered`: false in notes. `isStale`: they belong to the previous text.
 */
export type OfferedReplies = {
  replies: OfferedSavedReply[];
  areOffered: boolean;
  isLoading: boolean;
  isStale: boolean;
};

export type Suggestion = {
  key: string;
  title: string;
  hint: string;
  /** The saved reply that is shown beside the list while the suggestion is active. */
  preview?: OfferedSavedReply;
  /** Replaces the typed text with the completion and `after`, by default a space; or runs an action instead. */
  choice: { completion: string; after?: string; onInserted?: () => void } | { run: () => void };
};

/** Suggestions and the accessible name of their list. */
export type Suggestions = { name: string; all: Suggestion[] };
