import type { Metadata } from 'next';
import { DocsFrame } from '#app/components/docs/navigation/docs-frame.tsx';
import { navGroups } from '#app/components/docs/navigation/nav-groups.ts';
import { Reference } from '#app/components/docs/reference/reference.tsx';
import { getScreens } from '#app/data/get-screens.ts';
import { CallsGuide } from '#app/docs/guide/calls.tsx';
import { ConnectingGuide } from '#app/docs/guide/connecting.tsx';
import { ErrorsGuide } from '#app/docs/guide/errors.tsx';
import { HooksGuide } from '#app/docs/guide/hooks.tsx';
import { LimitsGuide } from '#app/docs/guide/limits.tsx';
import { OverviewGuide } from '#app/docs/guide/overview.tsx';
import { SamplesGuide } from '#app/docs/guide/samples.tsx';
import { TokensGuide } from '#app/docs/guide/tokens.tsx';

export const metadata: Metadata = { title: 'API documentation' };

/** The documentation: a guide, then every call, event and record. Anybody may read it. */
export default async function DocsPage() {
  const screens = await getScreens();
  const { reference, ...names } = await screens.docs.read();
  return (
    <DocsFrame
      serviceName={names.serviceName}
      documentUrl={`${names.apiBase}/openapi.json`}
      groups={navGroups(reference)}
    >
      <OverviewGuide {...names} />
      <ConnectingGuide {...names} />
      <TokensGuide {...names} />
      <CallsGuide {...names} />
      <HooksGuide {...names} />
      <SamplesGuide {...names} />
      <ErrorsGuide />
      <LimitsGuide />
      <Reference reference={reference} apiBase={names.apiBase} />
    </DocsFrame>
  );
}
