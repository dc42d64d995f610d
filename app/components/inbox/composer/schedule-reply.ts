'use server';

import { type Refused, refusedBy } from '#app/components/inbox/composer/answer-of.ts';
import { openScreens } from '#app/data/open-screens.ts';

/** Has a reply sent when the time to take it back is over; answers how long that is, in milliseconds. */
export async function scheduleReply(reply: {
  conversationId: string;
  id: string;
  content: string;
  /** Whether it solves the conversation once it is sent. */
  solves: boolean;
}): Promise<{ msLeft: number } | Refused> {
  try {
    return await (await openScreens()).composer.reply(reply);
  } catch (error) {
    return refusedBy(error);
  }
}
