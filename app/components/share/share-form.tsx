'use client';

import { useQueryClient } from '@tanstack/react-query';
import { FileText, LoaderCircle, PenLine } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ConversationChoice } from '#app/components/conversations/conversation-choice.tsx';
import { dropOpenedShared, type SharedContent } from '#app/components/drafts/shared-content.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { attachShared } from '#app/components/share/attach-shared.ts';
import { checkFiles } from '#app/components/share/check-files.ts';
import { type ShareChoices, useShareChoices } from '#app/components/share/use-share-choices.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { Field, FieldError } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { lazyPart } from '#app/components/ui/lazy-part.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';
import { formatSize } from '#app/lib/format-size.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { notReached } from '#app/lib/outcome.ts';
import type { NewConversationView } from '#server/screens/inbox/composer-views.ts';

const NewConversationForm = lazyPart(() => import('#app/components/inbox/new-conversation-form.tsx'));

type Props = { shared: SharedContent; limits: NewConversationView };

/** Adds what was shared to the reply of a conversation, or to the form of a new one. The teammate sends it. */
export function ShareForm({ shared, limits }: Props) {
  const router = useRouter();
  const queries = useQueryClient();
  const screens = useScreens();
  const [search, setSearch] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const choices = useShareChoices(search);
  const { files, problems } = checkFiles(shared.files, limits);
  const isEmpty = shared.text === '' && files.length === 0;

  const choose = async (id: string) => {
    setChosenId(id);
    setProblem(null);
    const attached = await attachShared({ queries, screens }, id, { ...shared, files }).catch(notReached);
    if ('problem' in attached) {
      setChosenId(null);
      setProblem(attached.problem);
      return;
    }
    router.push(inboxPath({ status: 'all', selected: id }));
    // Files that were not added can be shared from here again.
    if (await attached.uploads) await dropOpenedShared().catch(() => undefined);
  };
  const openStarted = (path: string) => {
    router.push(path);
    // Not before: what was shared is still here after the form was closed, or the page reloaded.
    void dropOpenedShared().catch(() => undefined);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <h2 className="text-base">Shared from another app</h2>
        {shared.text ? (
          <p className="line-clamp-4 whitespace-pre-wrap text-list [overflow-wrap:anywhere]">{shared.text}</p>
        ) : null}
        {files.length > 0 ? (
          <ul aria-label="Shared files" className="grid gap-1.5">
            {files.map(({ name, size }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names can repeat.
              <li key={at} className="flex items-center gap-2 text-list">
                <FileText aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
                <bdi className="min-w-0 truncate">{name}</bdi>
                <span className="tabular shrink-0 text-ink-faint text-xs">{formatSize(size)}</span>
              </li>
            ))}
          </ul>
        ) : null}
        {problems.map((sentence) => (
          <FieldError key={sentence}>{sentence}</FieldError>
        ))}
      </Card>
      {isEmpty ? null : (
        <>
          <Button
            data-shortcut="new-conversation"
            aria-haspopup="dialog"
            disabled={chosenId !== null}
            onClick={() => setIsStarting(true)}
            className="w-fit max-md:w-full"
          >
            <PenLine aria-hidden size={16} />
            New conversation
          </Button>
          {isStarting ? (
            <NewConversationForm
              view={limits}
              shared={{ ...shared, files }}
              onStarted={openStarted}
              control={{ open: true, onOpenChange: setIsStarting }}
            />
          ) : null}
          <Field
            label="Find a conversation"
            hint="Its reply opens with what you shared. Nothing is sent until you send it."
          >
            {({ id, describedBy }) => (
              <Input
                id={id}
                type="search"
                autoComplete="off"
                maxLength={200}
                placeholder="Contact, subject or words from a message"
                aria-describedby={describedBy}
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
            )}
          </Field>
          {problem ? <FieldError>{problem}</FieldError> : null}
          <Choices choices={choices} chosenId={chosenId} onChoose={(id) => void choose(id)} />
        </>
      )}
    </div>
  );
}

type ChoicesProps = {
  choices: ShareChoices | { problem: string } | null;
  chosenId: string | null;
  onChoose: (id: string) => void;
};

function Choices({ choices, chosenId, onChoose }: ChoicesProps) {
  if (choices === null) {
    return (
      <div role="status" className="grid gap-3">
        <span className="sr-only">Searching conversations</span>
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
        <Skeleton className="w-3/5" />
      </div>
    );
  }
  if ('problem' in choices) return <FieldError>{choices.problem}</FieldError>;
  const found = choices.filter(({ rows }) => rows.length > 0);
  if (found.length === 0) {
    return (
      <p role="status" className="text-ink-soft text-list">
        No conversations found. Try a name, an address or another word.
      </p>
    );
  }
  return found.map(({ title, rows }) => (
    <section key={title} aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h2 className="font-medium text-list">{title}</h2>
      <ul className="divide-y rounded-lg border bg-surface">
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              disabled={chosenId !== null}
              aria-busy={chosenId === row.id}
              onClick={() => onChoose(row.id)}
              className="focus-inset flex min-h-11 w-full items-center gap-3 px-3 py-2 text-left text-list hover:bg-hover"
            >
              <ConversationChoice {...row} />
              {chosenId === row.id ? (
                <LoaderCircle
                  aria-label="Opening"
                  size={16}
                  className="shrink-0 animate-spin text-ink-soft"
                />
              ) : null}
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}
