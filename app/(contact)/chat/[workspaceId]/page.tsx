import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { NowProvider } from '#app/components/ui/now-provider.tsx';
import { Chat } from '#app/components/web-chat/chat.tsx';
import { getScreens } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

type Props = { params: Promise<{ workspaceId: string }>; searchParams: Query };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const chat = await (await getScreens()).webchat.get(await params);
  return { title: { absolute: chat ? `Chat with ${chat.workspaceName}` : 'Page not found' } };
}

/** The web chat, as a standalone page and inside the widget's iframe. Visitors do not sign in. */
export default async function ChatPage({ params, searchParams }: Props) {
  const chat = await (await getScreens()).webchat.get(await params);
  if (!chat) notFound();
  const isInWidget = firstParam((await searchParams).in) === 'widget';
  return (
    <NowProvider renderedAt={Date.now()}>
      <Chat {...chat} isInWidget={isInWidget} />
    </NowProvider>
  );
}
