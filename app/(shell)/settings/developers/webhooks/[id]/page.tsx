import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import {
  DeleteWebhookButton,
  EnableButton,
  ReplayDialog,
  RotateButton,
  TestButton,
} from '#app/components/settings/developers/webhook-buttons.tsx';
import { WebhookDeliveries } from '#app/components/settings/developers/webhook-deliveries.tsx';
import { WebhookDialog } from '#app/components/settings/developers/webhook-dialog.tsx';
import { WebhookSecret } from '#app/components/settings/developers/webhook-secret.tsx';
import { WebhookState } from '#app/components/settings/developers/webhook-state.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { BackLink } from '#app/components/ui/back-link.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Webhook' };

type Props = { params: Promise<{ id: string }>; searchParams: Query };

export default async function WebhookPage({ params, searchParams }: Props) {
  const { id } = await params;
  const path = `/settings/developers/webhooks/${id}`;
  const { workspace } = await requireWorkspace(path);
  if (!isIn('admins', workspace.role)) notFound();
  const query = await searchParams;
  const [cursor, deliveryId] = [firstParam(query.cursor), firstParam(query.delivery)];
  const view = await (await getScreens()).webhooks.get({ id, cursor, deliveryId });
  if (!view) notFound();
  const { endpoint, choices, secret, historyDays } = view;
  const enabled = endpoint.state === 'enabled';
  return (
    <PageBody>
      <RefreshOn topic="deliveries" />
      <BackLink href="/settings/developers">Developers</BackLink>
      <header className="mb-6 grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="grid gap-1">
          <h1 className="text-xl [overflow-wrap:anywhere]">
            <bdi>{endpoint.url}</bdi>
          </h1>
          <p className="text-ink-soft">
            <WebhookState endpoint={endpoint} />
          </p>
          {endpoint.description === '' ? null : <p className="text-ink-soft">{endpoint.description}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {enabled ? <TestButton id={id} /> : null}
          {enabled ? <ReplayDialog id={id} historyDays={historyDays} /> : null}
          <WebhookDialog choices={choices} endpoint={endpoint} />
          <EnableButton id={id} enabled={enabled} />
          <DeleteWebhookButton id={id} />
        </div>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <section aria-labelledby="signing" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="signing" className="text-base">
              Signing secret
            </h2>
            <RotateButton id={id} />
          </div>
          <WebhookSecret secret={secret} />
        </section>
        <section aria-labelledby="events" className="grid gap-2">
          <h2 id="events" className="text-base">
            Events
          </h2>
          <ul aria-labelledby="events" className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-xs">
            {endpoint.events.map((key) => (
              <li key={key}>{key === '*' ? 'All events, also those that are added later' : key}</li>
            ))}
          </ul>
        </section>
        <WebhookDeliveries view={view} path={path} cursor={cursor} />
      </div>
    </PageBody>
  );
}
