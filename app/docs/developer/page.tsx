import type { Metadata } from 'next';
import { DeveloperGuide } from '#app/components/docs/developer-guide.tsx';
import { DocsFrame } from '#app/components/docs/docs-frame.tsx';
import { DEVELOPER_GUIDE, navGroups } from '#app/components/docs/nav-groups.ts';
import { Reference } from '#app/components/docs/reference.tsx';
import { WebhooksGuide } from '#app/components/docs/webhooks-guide.tsx';
import { getScreens } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Developer API' };

/** Public documentation of the developer API: guide and reference. */
export default async function DeveloperDocsPage() {
  const screens = await getScreens();
  const { reference, apiBase, serviceName, tokenPrefix } = await screens.docs.readDeveloper();
  // The guide lists the events.
  const calls = { ...reference, events: [] };
  return (
    <DocsFrame
      serviceName={serviceName}
      documentUrl={`${apiBase}/openapi.json`}
      groups={navGroups(calls, DEVELOPER_GUIDE)}
    >
      <DeveloperGuide serviceName={serviceName} apiBase={apiBase} tokenPrefix={tokenPrefix} />
      <WebhooksGuide events={reference.events} />
      <Reference reference={calls} apiBase={apiBase} tokenVariable="TOKEN" />
    </DocsFrame>
  );
}
