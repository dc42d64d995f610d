import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ConsentContent } from '#app/components/consent/consent-content.tsx';
import { pageContext } from '#server/screens/page-context.ts';

export function generateMetadata(): Metadata {
  return { title: `Connect ${pageContext().platformName}` };
}

/** Renders the server's result of an authorization request. The server has already set the status. */
export default function AuthorizePage() {
  const { consent } = pageContext();
  if (!consent) notFound();
  return <ConsentContent view={consent} />;
}
