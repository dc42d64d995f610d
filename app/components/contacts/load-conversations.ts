'use server';

import { openScreens } from '#app/data/open-screens.ts';
import type { InboxRow } from '#server/inbox/conversations/views.ts';
import type { Page } from '#server/people/contacts/views.ts';

/** The page of a contact's conversations at a cursor. */
export async function loadConversations(contactId: string, cursor: string): Promise<Page<InboxRow>> {
  return (await openScreens()).contacts.conversations({ id: contactId, cursor });
}
