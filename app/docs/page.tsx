import type { Metadata } from 'next';
import { CallsGuide } from '#app/components/docs/calls-guide.tsx';
import { ConnectingGuide } from '#app/components/docs/connecting-guide.tsx';
import { DocsFrame } from '#app/components/docs/docs-frame.tsx';
import { ErrorsGuide } from '#app/components/docs/errors-guide.tsx';
import { HooksGuide } from '#app/components/docs/hooks-guide.tsx';
import { LimitsGuide } from '#app/components/docs/limits-guide.tsx';
import { McpGuide } from '#app/components/docs/mcp-guide.tsx';
import { AUTOMATION_GUIDE, navGroups } from '#app/components/docs/nav-groups.ts';
import { OverviewGuide } from '#app/components/docs/overview-guide.tsx';
import { Reference } from '#app/components/docs/reference.tsx';
import { SamplesGuide } from '#app/components/docs/samples-guide.tsx';
import { TokensGuide } from '#app/components/docs/tokens-guide.tsx';
import { getScreens } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'API documentation' };

/** Public API documentation: guide and reference. */
export default async function DocsPage() {
  const screens = await getScreens();
  const { reference, ...names } = await screens.docs.read();
  return (
    <DocsFrame
      serviceName={names.serviceName}
      documentUrl={`${names.apiBase}/openapi.json`}
      groups={navGroups(reference, AUTOMATION_GUIDE)}
    >
      <OverviewGuide {...names} />
      <ConnectingGuide {...names} />
      <TokensGuide {...names} />
      <CallsGuide {...names} />
      <HooksGuide {...names} />
      <SamplesGuide {...names} />
      <ErrorsGuide />
      <LimitsGuide />
      <McpGuide {...names} />
      <Reference reference={reference} apiBase={names.apiBase} />
    </DocsFrame>
  );
}
