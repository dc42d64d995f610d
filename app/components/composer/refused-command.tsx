import { Fragment } from 'react';
import { listensFor, readCommand } from '#app/components/composer/typed-token.ts';
import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';

type Props = {
  /** The refused text, which starts with a command. */
  text: string;
  listened: ListenedCommands;
  onChoose: (name: string) => void;
};

/** Commands named in the error. The menu under `Run command` lists all of them. */
const NAMED_MAX = 6;
/** Characters shown of a word that is not a valid command. */
const SHOWN_MAX = 30;

const list = new Intl.ListFormat('en-GB');

/** Explains why a reply that starts with a command was not sent. The available commands update live. */
export function RefusedCommand({ text, listened, onChoose }: Props) {
  const typed = readCommand(text);
  if (!typed) {
    const word = text.split(/\s/, 1)[0] ?? '';
    const shown = word.length > SHOWN_MAX ? `${word.slice(0, SHOWN_MAX).toWellFormed()}…` : word;
    return <>{`“${shown}” is not a command, so nothing was sent. ${AS_TEXT}`}</>;
  }
  const { command } = typed;
  if (listensFor(listened, command))
    return <>{`A workflow now listens for /${command}. Press Send to run it.`}</>;
  return (
    <>
      {`No workflow listens for /${command}, so nothing was sent. `}
      <Commands names={listened.commands.map(({ name }) => name)} onChoose={onChoose} />
      {` ${AS_TEXT}`}
    </>
  );
}

const AS_TEXT = 'To send it as text, start with a space.';

function Commands({ names, onChoose }: { names: string[]; onChoose: (name: string) => void }) {
  if (names.length === 0) return 'There are no commands in this workspace yet.';
  const named = names.slice(0, NAMED_MAX);
  const rest = names.length - named.length;
  const parts = list.formatToParts(rest > 0 ? [...named, `${rest} more`] : named);
  return (
    <>
      {names.length === 1 ? 'The only command is ' : 'The commands are '}
      {parts.map(({ type, value }, index) =>
        type === 'element' && names.includes(value) ? (
          <button
            key={value}
            type="button"
            onClick={() => onChoose(value)}
            className="font-medium underline underline-offset-2 max-md:py-2"
          >
            /{value}
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other key
          <Fragment key={index}>{value}</Fragment>
        ),
      )}
      .
    </>
  );
}
