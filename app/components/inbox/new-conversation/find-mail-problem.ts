'use server';

import { openScreens } from '#app/data/open-screens.ts';

/** Why an e-mail that starts a conversation would not leave, as a sentence, or null when it does. */
export async function findMailProblem(): Promise<string | null> {
  return (await openScreens()).inbox.mailProblem();
}
