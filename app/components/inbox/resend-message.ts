'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** Has a message sent again that failed or was held; answers why not, as a sentence, or null. */
export async function resendMessage(message: {
  conversationId: string;
  messageId: string;
}): Promise<string | null> {
  try {
    await (await openScreens()).composer.resend(message);
  } catch (error) {
    return errorMessage(error);
  }
  return null;
}
