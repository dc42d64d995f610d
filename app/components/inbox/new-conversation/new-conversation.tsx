import { NewConversationButton } from '#app/components/inbox/new-conversation/new-conversation-button.tsx';
import { openScreens } from '#app/data/open-screens.ts';

/** Starts a conversation by email, for those who may. */
export async function NewConversation() {
  const view = await (await openScreens()).conversations.newConversation();
  return view ? <NewConversationButton view={view} /> : null;
}
