import { Eye, type LucideIcon, Merge } from 'lucide-react';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';
import { listensFor } from '#app/components/composer/suggest-commands.ts';
import { readCommand } from '#app/components/composer/typed-token.ts';
import type { ComposerView, ListenedCommands } from '#server/screens/inbox/composer-views.ts';

type Props = { icon: LucideIcon; children: ReactNode; link?: { href: string; label: string } | null };

/** A notice in the composer, with an optional link to fix its cause. */
export function ComposerNotice({ icon: Icon, children, link }: Props) {
  return (
    <p className="flex gap-2 text-ink-soft text-list">
      <Icon aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {children}
        {link ? (
          <>
            {' '}
            <Link
              href={link.href}
              prefetch={false}
              className="whitespace-nowrap text-accent-ink underline underline-offset-2"
            >
              {link.label}
            </Link>
          </>
        ) : null}
      </span>
    </p>
  );
}

/** Replaces the composer in a read-only conversation. Pending replies stay visible. */
export function ReadOnlyComposer({ view, children }: { view: ComposerView; children: ReactNode }) {
  const { mergedInto, readOnly } = view;
  return (
    <>
      {children}
      <div className="rounded-lg border bg-canvas px-3 py-2.5">
        {mergedInto ? (
          <ComposerNotice
            icon={Merge}
            link={{ href: `/inbox?selected=${mergedInto.id}`, label: 'Continue there' }}
          >
            You cannot write here: this conversation was merged into “<bdi>{mergedInto.title}</bdi>”.
          </ComposerNotice>
        ) : (
          <ComposerNotice icon={Eye}>{readOnly}</ComposerNotice>
        )}
      </div>
    </>
  );
}

type RefusedCommandProps = {
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
export function RefusedCommand({ text, listened, onChoose }: RefusedCommandProps) {
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
