/** What a page is asked to tell the app (Messenger Platform, webhooks); an Instagram account's updates come over its page. */
export const PAGE_UPDATES = {
  messenger: 'messages,message_echoes,message_edits,messaging_postbacks',
  instagram: 'messages',
} as const;
