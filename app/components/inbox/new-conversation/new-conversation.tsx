import { NewConversationButton } from '#app/components/inbox/new-conversation/new-conversation-button.tsx';
import { openScreens } from '#app/data/open-screens.ts';

/** Starts a conversation by e-mail, for those who may. */
export async function NewConversation() {
  const mayStart = await (await openScreens()).inbox.mayAct();
  return mayStart ? <NewConversationButton /> : null;
}
