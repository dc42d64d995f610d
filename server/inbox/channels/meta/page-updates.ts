/**
 * The fields of a page to which the app is subscribed (Messenger Platform, webhooks). An Instagram account's updates come
 * over its page.
 */
export const PAGE_UPDATES = {
  messenger: 'messages,message_echoes,message_edits,messaging_postbacks',
  instagram: 'messages',
} as const;
