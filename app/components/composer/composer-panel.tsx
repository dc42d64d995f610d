'use client';

import { Lock } from 'lucide-react';
import { AttachButton } from '#app/components/composer/attach-button.tsx';
import { ComposerPage, ComposerTabs } from '#app/components/composer/composer-tabs.tsx';
import { ReplyHead } from '#app/components/composer/reply-head.tsx';
import { RunCommandButton } from '#app/components/composer/run-command-button.tsx';
import { commandAt, mentionAt, savedReplyAt } from '#app/components/composer/typed-token.ts';
import { useComposer } from '#app/components/composer/use-composer.ts';
import { useSuggest } from '#app/components/composer/use-suggest.ts';
import { WriteForm } from '#app/components/composer/write-form.tsx';
import { PresenceOf } from '#app/components/live/presence-of.tsx';
import { lazyParts } from '#app/components/ui/lazy-part.tsx';
import { cx } from '#app/lib/cx.ts';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';
import type { AfterSolving } from '#server/screens/inbox/views.ts';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const PendingReplies = rareParts('PendingReplies');
const SuggestedReplies = rareParts('SuggestedReplies');
const DraftFiles = rareParts('DraftFiles');
const SharedDraft = rareParts('SharedDraft');
const ReadOnlyComposer = rareParts('ReadOnlyComposer');
const NotesUnavailable = rareParts('NotesUnavailable');
const TemplateButton = rareParts('TemplateButton');
const RefusedCommand = rareParts('RefusedCommand');
const UnseenDialog = rareParts('UnseenDialog');

type Props = {
  view: ComposerView;
  afterSolving: AfterSolving;
  platformName: string;
  /** Ids of the messages, notes and pending replies on screen. */
  shown: readonly string[];
};

/** The composer: replies to the contact, notes to the team, commands to workflows. */
export function ComposerPanel({ view, afterSolving, platformName, shown }: Props) {
  const composer = useComposer(view, afterSolving, shown);
  const { kind, box, pending, enclosures, noteFiles, write, question } = composer;
  const actions = { onCommand: composer.chooseCommand, onSaved: enclosures.addSavedReply };
  const suggest = useSuggest(composer.text, view, actions);
  const waiting = (
    <>
      {view.suggested.length > 0 ? (
        <SuggestedReplies
          view={view}
          shown={shown}
          answers={composer.answered.address}
          onRestore={composer.restore}
        />
      ) : null}
      {pending.replies.length > 0 ? (
        <PendingReplies
          replies={pending.replies}
          mayAct={view.readOnly === null}
          onUndo={pending.undo}
          onDiscard={pending.discard}
          shown={shown}
        />
      ) : null}
    </>
  );
  const presence = (
    <div role="status">
      <PresenceOf conversationId={view.conversationId} />
    </div>
  );
  if (view.readOnly !== null || view.mergedInto) {
    return (
      <ReadOnlyComposer view={view} drafts={composer.drafts}>
        {waiting}
        {presence}
      </ReadOnlyComposer>
    );
  }

  const shared = {
    box,
    text: composer.text,
    formatted: composer.formatted,
    onChange: composer.change,
    onSend: composer.submit,
    problem: composer.problem,
    suggest,
    aside: (
      <>
        <AttachButton onPick={kind === 'reply' ? enclosures.addFiles : noteFiles.addFiles} />
        {kind === 'reply' && view.canSendTemplates ? (
          <TemplateButton conversationId={view.conversationId} />
        ) : null}
        <RunCommandButton
          view={view}
          platformName={platformName}
          draftRun={composer.draftRun}
          onDraftRun={composer.setDraftRun}
          onRan={composer.onRan}
          onReturn={composer.focusBox}
        />
      </>
    ),
  };
  const isSending = pending.replies.some(
    ({ isYours, problem, laterAt }) => isYours && problem === null && laterAt === null,
  );
  return (
    <>
      {waiting}
      <span role="status" className="sr-only">
        {isSending
          ? 'Your reply will be sent in a few seconds. To cancel, use Undo before the text box.'
          : ''}
      </span>
      {question ? (
        <UnseenDialog
          question={question}
          contactName={view.contactName}
          onSend={composer.sendAnyway}
          onClose={composer.keepEditing}
          onEdit={composer.focusBox}
        />
      ) : null}
      {presence}
      <div
        className={cx(
          'relative rounded-lg border has-[[data-box]:focus-visible]:outline-2 has-[[data-box]:focus-visible]:outline-accent-ink has-[[data-box]:focus-visible]:-outline-offset-1',
          kind === 'note' && view.notesProblem === null
            ? 'border-note-ink bg-note'
            : 'border-line-control bg-surface',
        )}
      >
        <ComposerTabs shown={kind} onShow={composer.show} onWrite={write} />
        <ComposerPage kind="reply" shown={kind}>
          <WriteForm
            {...shared}
            label="Reply"
            canFormat={view.canFormat}
            placeholder="Write a reply, or type / for saved replies and commands"
            submit="Send"
            busy={enclosures.isUploading}
            mayBeEmpty={enclosures.files.length > 0}
            canSolve={view.canSolve}
            canSendLater
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
            head={
              <>
                <ReplyHead view={view} enclosures={enclosures} answered={composer.answered} />
                {composer.drafts.reply.shared?.newer || composer.drafts.reply.shared?.by ? (
                  <SharedDraft view={view} text={composer.text} onDone={composer.focusBox} />
                ) : null}
              </>
            }
            below={
              enclosures.files.length > 0 ? (
                <DraftFiles
                  files={enclosures.files}
                  formatted={composer.formatted}
                  onRemove={enclosures.removeFile}
                />
              ) : null
            }
            files={enclosures.files}
            changeFiles={enclosures.changeFiles}
            onPasteFiles={enclosures.addFiles}
            onSelect={composer.select}
            tokenAt={(text, caret) => commandAt(text, caret) ?? savedReplyAt(text, caret)}
            offersFor={view.conversationId}
          />
        </ComposerPage>
        <ComposerPage kind="note" shown={kind}>
          {view.notesProblem ? (
            <NotesUnavailable problem={view.notesProblem} />
          ) : (
            <WriteForm
              {...shared}
              label="Note"
              canFormat
              placeholder="Write a note, or type @ for teammates and / for commands"
              submit="Add note"
              busy={composer.isAdding || noteFiles.isUploading}
              mayBeEmpty={noteFiles.files.length > 0}
              maxLength={view.noteMaxLength}
              head={<NoteHead />}
              below={
                noteFiles.files.length > 0 ? (
                  <div className="[&_li]:border-note-line">
                    <DraftFiles
                      files={noteFiles.files}
                      formatted={composer.formatted}
                      onRemove={noteFiles.removeFile}
                      label="Files of the note"
                    />
                  </div>
                ) : null
              }
              files={noteFiles.files}
              changeFiles={noteFiles.changeFiles}
              onPasteFiles={noteFiles.addFiles}
              offersFor={null}
              tokenAt={(text, caret) => commandAt(text, caret) ?? mentionAt(text, caret)}
            />
          )}
        </ComposerPage>
      </div>
    </>
  );
}

function NoteHead() {
  return (
    <p className="flex items-center gap-1.5 px-3 pt-2 text-note-ink text-xs">
      <Lock aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span>Internal note, only visible to your team</span>
    </p>
  );
}
