import { Webhook } from 'lucide-react';
import Link from 'next/link';
import { WebhookDialog } from '#app/components/settings/developers/webhook-dialog.tsx';
import { WebhookState } from '#app/components/settings/developers/webhook-state.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/session.ts';
import { pluralize } from '#app/lib/format-count.ts';

/** Webhook endpoints with their events and state. */
export async function Webhooks() {
  const { endpoints, endpointsMax, choices } = await (await getScreens()).webhooks.list();
  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="webhooks" tabIndex={-1} className="text-base">
          {endpoints.length === 0 ? 'No webhooks yet' : pluralize(endpoints.length, 'webhook')}
        </h2>
        {endpoints.length < endpointsMax ? <WebhookDialog choices={choices} /> : null}
      </div>
      <Card>
        {endpoints.length === 0 ? (
          <EmptyState icon={Webhook} title="Get events as they happen">
            <p>
              A webhook sends events to your program, signed, so that it knows who sent them.{' '}
              <Link
                href="/docs/developer#webhooks"
                className="underline underline-offset-2 hover:decoration-2"
              >
                How to verify them
              </Link>
            </p>
          </EmptyState>
        ) : (
          <ul aria-labelledby="webhooks" className="divide-y">
            {endpoints.map((endpoint) => (
              <li key={endpoint.id} className="grid gap-1 px-5 py-3.5 max-md:px-4">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                  <Link
                    href={`/settings/developers/webhooks/${endpoint.id}`}
                    className="min-w-0 font-semibold [overflow-wrap:anywhere] hover:underline"
                  >
                    <bdi>{endpoint.url}</bdi>
                  </Link>
                  <span className="text-ink-soft text-list">
                    <WebhookState endpoint={endpoint} />
                  </span>
                </p>
                <p className="text-ink-soft text-list">
                  {endpoint.description === '' ? null : (
                    <>
                      <bdi>{endpoint.description}</bdi> ·{' '}
                    </>
                  )}
                  {endpoint.events.includes('*') ? 'All events' : pluralize(endpoint.events.length, 'event')}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {endpoints.length >= endpointsMax ? (
        <p className="text-ink-soft text-list">
          A workspace can have up to {endpointsMax} webhooks. Delete one to create another.
        </p>
      ) : null}
    </section>
  );
}
