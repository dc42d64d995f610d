'use client';

import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { AttachButton } from '#app/components/inbox/composer/attach-button.tsx';
import { RefusedCommand } from '#app/components/inbox/composer/commands/refused-command.tsx';
import { RunCommandButton } from '#app/components/inbox/composer/commands/run-command-button.tsx';
import { DraftFiles } from '#app/components/inbox/composer/draft-files.tsx';
import { NoteHead } from '#app/components/inbox/composer/note-head.tsx';
import { NotesUnavailable } from '#app/components/inbox/composer/notices/notes-unavailable.tsx';
import { ReadOnlyComposer } from '#app/components/inbox/composer/notices/read-only-composer.tsx';
import { PendingReplies } from '#app/components/inbox/composer/pending/pending-replies.tsx';
import { ReplyHead } from '#app/components/inbox/composer/reply-head.tsx';
import { makeSuggest } from '#app/components/inbox/composer/suggestions/make-suggest.ts';
import { commandAt, mentionAt } from '#app/components/inbox/composer/suggestions/typed-token.ts';
import { TemplateButton } from '#app/components/inbox/composer/templates/template-button.tsx';
import { type Kind, useComposer } from '#app/components/inbox/composer/use-composer.ts';
import { WriteForm } from '#app/components/inbox/composer/write-form.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ComposerView } from '#server/inbox/messages/views.ts';

type Props = { view: ComposerView; platformName: string };

/** Where a teammate writes: replies to the contact, notes to the team, commands to workflows. */
export function ComposerPanel({ view, platformName }: Props) {
  const composer = useComposer(view);
  const { kind, box, pending, enclosures, write } = composer;
  const waiting = (
    <PendingReplies
      replies={pending.replies}
      mayAct={view.readOnly === null}
      onUndo={pending.undo}
      onDiscard={pending.discard}
    />
  );
  if (view.readOnly !== null || view.mergedInto)
    return <ReadOnlyComposer view={view}>{waiting}</ReadOnlyComposer>;

  const shared = {
    box,
    text: composer.text,
    onChange: composer.change,
    onSend: composer.submit,
    problem: composer.problem,
    suggest: makeSuggest(view, composer.chooseCommand),
    aside: (
      <>
        {kind === 'reply' ? <AttachButton onPick={enclosures.addFiles} /> : null}
        {kind === 'reply' && view.canSendTemplates ? (
          <TemplateButton conversationId={view.conversationId} />
        ) : null}
        <RunCommandButton
          view={view}
          platformName={platformName}
          wanted={composer.wanted}
          onWant={composer.setWanted}
          onRan={composer.onRan}
          onReturn={composer.focusBox}
        />
      </>
    ),
  };
  const isOnTheWay = pending.replies.some(({ isYours, problem }) => isYours && problem === null);
  return (
    <>
      {waiting}
      <span role="status" className="sr-only">
        {isOnTheWay ? 'Your reply is about to be sent. To cancel it, use Undo, before the text box.' : ''}
      </span>
      <Tabs.Root
        value={kind}
        onValueChange={(value) => composer.show(value === 'note' ? 'note' : 'reply')}
        className={cx(
          'relative rounded-lg border border-line-control has-[[data-box]:focus-visible]:outline-2 has-[[data-box]:focus-visible]:outline-accent-ink has-[[data-box]:focus-visible]:-outline-offset-1',
          kind === 'note' && view.notesProblem === null ? 'bg-note' : 'bg-surface',
        )}
      >
        <Tabs.List aria-label="Reply or note" className="flex border-b px-1">
          <Tab kind="reply" name="Reply" onWrite={write} />
          <Tab kind="note" name="Note" onWrite={write} />
        </Tabs.List>
        <Page kind="reply" shown={kind}>
          <WriteForm
            {...shared}
            label="Reply"
            placeholder="Write to the contact. / runs a command."
            submit="Send"
            busy={enclosures.isUploading}
            mayBeEmpty={enclosures.files.length > 0}
            canSolve={view.canSolve}
            maxLength={view.replyMaxLength}
            problem={
              composer.refusedCommand === null ? (
                composer.problem
              ) : (
                <RefusedCommand
                  text={composer.refusedCommand}
                  listened={view.commands}
                  onChoose={composer.chooseCommand}
                />
              )
            }
            head={<ReplyHead view={view} enclosures={enclosures} />}
            below={<DraftFiles files={enclosures.files} onRemove={enclosures.removeFile} />}
            onPasteFiles={enclosures.addFiles}
            tokenAt={commandAt}
          />
        </Page>
        <Page kind="note" shown={kind}>
          {view.notesProblem ? (
            <NotesUnavailable problem={view.notesProblem} />
          ) : (
            <WriteForm
              {...shared}
              label="Note"
              placeholder="Write to your team. @ mentions a teammate, / runs a command."
              submit="Add note"
              busy={composer.isAdding}
              maxLength={view.noteMaxLength}
              head={<NoteHead />}
              tokenAt={(text, caret) => commandAt(text, caret) ?? mentionAt(text, caret)}
            />
          )}
        </Page>
      </Tabs.Root>
    </>
  );
}

type TabProps = { kind: Kind; name: string; onWrite: (kind: Kind) => void };

/**
 * Chosen with a click, or by a shortcut, it puts the keyboard into its text box; arrow keys only show it. Pressing alone
 * does nothing yet: the composer may change its height, and the click would miss the tab.
 */
function Tab({ kind, name, onWrite }: TabProps) {
  return (
    <Tabs.Trigger
      value={kind}
      data-shortcut={kind}
      onMouseDown={(press) => press.preventDefault()}
      onClick={() => onWrite(kind)}
      className="focus-inset -mb-px h-9 border-transparent border-b-2 px-3 font-medium text-ink-soft text-list hover:text-ink data-[state=active]:border-accent-ink data-[state=active]:text-ink max-md:h-11"
    >
      {name}
    </Tabs.Trigger>
  );
}

const PAGE_NAMES: Record<Kind, string> = { reply: 'To the contact', note: 'To the team' };

/**
 * What a tab shows. Not named like its text box, which is what one looks for; and drawn in the very moment it is shown,
 * so that the keyboard finds the box.
 */
function Page({ kind, shown, children }: { kind: Kind; shown: Kind; children: ReactNode }) {
  return (
    <Tabs.Content
      value={kind}
      forceMount
      hidden={kind !== shown}
      tabIndex={-1}
      aria-labelledby={undefined}
      aria-label={PAGE_NAMES[kind]}
    >
      {kind === shown ? children : null}
    </Tabs.Content>
  );
}
