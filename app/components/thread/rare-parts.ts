// Loaded together once the page is idle, or with the first use (`lazyParts`).

export { ExplainDialog } from '#app/components/thread/explain-dialog.tsx';
export { ForwardDialog } from '#app/components/thread/forward-dialog.tsx';
export { ForwardedTo } from '#app/components/thread/forwarded-to.tsx';
export { MailOriginal } from '#app/components/thread/mail-original.tsx';
export { MergedMark } from '#app/components/thread/merged-mark.tsx';
export { MessageContext } from '#app/components/thread/message-context.tsx';
export { MessageReactions } from '#app/components/thread/message-reactions.tsx';
export { MessageRecipients } from '#app/components/thread/message-recipients.tsx';
export { NoteEditor } from '#app/components/thread/note-editor.tsx';
export { NoteTexts } from '#app/components/thread/note-texts.tsx';
export { ResendControl } from '#app/components/thread/resend-control.tsx';
export { ThreadAttachments } from '#app/components/thread/thread-attachments.tsx';
