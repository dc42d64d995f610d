// Loaded together once the page is idle, or with the first use (`lazyParts`).

export { addFiles } from '#app/components/composer/add-files.ts';
export { AnsweredChoice } from '#app/components/composer/answered-choice.tsx';
export { ReplyNotice } from '#app/components/composer/composer-notice.tsx';
export { CopyFields } from '#app/components/composer/copy-fields.tsx';
export { createSuggest } from '#app/components/composer/create-suggest.ts';
export { DraftFiles } from '#app/components/composer/draft-files.tsx';
export { FromSelect } from '#app/components/composer/from-select.tsx';
export { addSavedReply } from '#app/components/composer/insert-saved-reply.ts';
export { NoListeningWorkflow } from '#app/components/composer/no-listening-workflow.tsx';
export { NotesUnavailable } from '#app/components/composer/notes-unavailable.tsx';
export { PendingReplies } from '#app/components/composer/pending-replies.tsx';
export { ReadOnlyComposer } from '#app/components/composer/read-only-composer.tsx';
export { RefusedCommand } from '#app/components/composer/refused-command.tsx';
export { ReplyToChoice } from '#app/components/composer/reply-to-choice.tsx';
export { RunCommandForm } from '#app/components/composer/run-command-form.tsx';
export { SharedDraft } from '#app/components/composer/shared-draft.tsx';
export { SuggestedReplies } from '#app/components/composer/suggested-replies.tsx';
export { SuggestionList } from '#app/components/composer/suggestion-list.tsx';
export { TemplateButton } from '#app/components/composer/template-button.tsx';
export { UnseenDialog } from '#app/components/composer/unseen-dialog.tsx';
export { TimeChoice } from '#app/components/ui/time-choice.tsx';
