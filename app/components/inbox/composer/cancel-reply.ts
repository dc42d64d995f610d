'use server';

import { type Refused, refusedBy } from '#app/components/inbox/composer/answer-of.ts';
import { openScreens } from '#app/data/open-screens.ts';

/** Takes back a reply that was not sent; answers what stood in it. */
export async function cancelReply(id: string): Promise<{ content: string } | Refused> {
  try {
    return await (await openScreens()).composer.takeBack({ id });
  } catch (error) {
    return refusedBy(error);
  }
}
