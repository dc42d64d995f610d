'use server';

import { openScreens } from '#app/data/open-screens.ts';
import { refusalSentence } from '#app/lib/refusal-sentence.ts';

/** Has a message sent again that failed or was held; answers why not, as a sentence, or null. */
export async function resendMessage(message: {
  conversationId: string;
  messageId: string;
}): Promise<string | null> {
  try {
    await (await openScreens()).composer.resend(message);
  } catch (error) {
    return refusalSentence(error);
  }
  return null;
}
