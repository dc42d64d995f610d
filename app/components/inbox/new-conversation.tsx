import { NewConversationButton } from '#app/components/inbox/new-conversation-form.tsx';
import { getScreens } from '#app/data/session.ts';

/** Starts a conversation by email, for those who may. */
export async function NewConversation() {
  const view = await (await getScreens()).conversations.newConversation();
  return view ? <NewConversationButton view={view} /> : null;
}
