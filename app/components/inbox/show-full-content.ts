'use server';

import { getScreens } from '#app/data/get-screens.ts';
import { errorMessage } from '#app/lib/error-message.ts';

/** All of a mail, or a sentence when it could not be read. */
export async function showFullContent(messageId: string): Promise<{ content: string } | { problem: string }> {
  try {
    return { content: await (await getScreens()).conversations.fullContent({ messageId }) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}
