'use server';

import { openScreens } from '#app/data/open-screens.ts';
import type { Page } from '#server/contacts/views.ts';
import type { InboxRow } from '#server/conversations/views.ts';

/** The page of a contact's conversations at a cursor. */
export async function loadConversations(contactId: string, cursor: string): Promise<Page<InboxRow>> {
  return (await openScreens()).contacts.conversations({ id: contactId, cursor });
}
