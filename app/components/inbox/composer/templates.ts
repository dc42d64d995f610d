'use server';

import { type Refused, refusedBy } from '#app/components/inbox/composer/answer-of.ts';
import { openScreens } from '#app/data/open-screens.ts';
import type { TemplateView } from '#server/inbox/messages/views.ts';

/** The approved templates that can be sent in a conversation, or why there are none. */
export async function listTemplates(conversationId: string): Promise<TemplateView[] | Refused> {
  try {
    return await (await openScreens()).composer.templates({ conversationId });
  } catch (error) {
    return refusedBy(error);
  }
}

/** Sends a template in a conversation; answers why not, or null. What the channel says of it stands in the thread. */
export async function sendTemplate(template: {
  conversationId: string;
  name: string;
  language: string;
  values: Record<string, string>;
}): Promise<Refused | null> {
  try {
    await (await openScreens()).composer.sendTemplate(template);
  } catch (error) {
    return refusedBy(error);
  }
  return null;
}
