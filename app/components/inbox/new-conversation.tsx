import { NewConversationButton } from '#app/components/inbox/new-conversation-button.tsx';
import { getScreens } from '#app/data/session.ts';

/** Renders the button for teammates who may start conversations. */
export async function NewConversation() {
  const view = await (await getScreens()).conversations.newConversation();
  return view ? <NewConversationButton view={view} /> : null;
}
