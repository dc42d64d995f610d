// Loaded together once the page is idle, or with the first use (`lazyParts`).

export { markAsSpam } from '#app/components/inbox/after-removal.ts';
export { CloseDialog } from '#app/components/inbox/close-dialog.tsx';
export { ContactDetails } from '#app/components/inbox/contact-details.tsx';
export { ContactOffer } from '#app/components/inbox/contact-offer.tsx';
export { ConversationDialog } from '#app/components/inbox/conversation-dialog.tsx';
export { ConversationNotice } from '#app/components/inbox/conversation-notice.tsx';
export { FormOffer } from '#app/components/inbox/form-offer.tsx';
export { SnoozeForm } from '#app/components/inbox/snooze-form.tsx';
