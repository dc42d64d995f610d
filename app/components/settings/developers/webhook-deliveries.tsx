import { Send } from 'lucide-react';
import Link from 'next/link';
import { ResendButton } from '#app/components/settings/developers/webhook-buttons.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type { WebhookView } from '#server/screens/settings/views.ts';

type Delivery = WebhookView['deliveries'][number];
type Details = NonNullable<WebhookView['details']>;
type Props = { view: WebhookView; path: string; cursor: string | undefined };

const STATES: Record<Delivery['state'], [DotTone, string]> = {
  pending: ['waiting', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  cancelled: ['quiet', 'Cancelled'],
};

/** The delivery log of an endpoint. A link opens the request and the attempts of a delivery below it. */
export function WebhookDeliveries({ view: { endpoint, deliveries, older, details }, path, cursor }: Props) {
  const query = (parameters: Record<string, string>) => `${path}?${new URLSearchParams(parameters)}`;
  const here: Record<string, string> = cursor ? { cursor } : {};
  return (
    <section aria-labelledby="deliveries" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="deliveries" className="text-base">
        Deliveries
      </h2>
      <Card>
        {deliveries.length === 0 ? (
          <EmptyState icon={Send} title="No deliveries yet">
            <p>Events appear here as they are sent. A test event shows whether your program receives them.</p>
          </EmptyState>
        ) : (
          <ul aria-labelledby="deliveries" className="divide-y">
            {deliveries.map((delivery) => {
              const isOpen = details?.id === delivery.id;
              const target = isOpen ? here : { ...here, delivery: delivery.id };
              return (
                <li key={delivery.id} className="grid grid-cols-[minmax(0,1fr)]">
                  <Link
                    href={query(target)}
                    scroll={false}
                    aria-expanded={isOpen}
                    className="grid gap-1 px-5 py-3 hover:bg-canvas max-md:px-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:gap-4"
                  >
                    <span className="grid min-w-0 gap-0.5">
                      <span className="truncate font-mono text-xs">{delivery.type}</span>
                      <span className="text-ink-soft text-list">{outcomeOf(delivery)}</span>
                    </span>
                    <span className="flex items-center gap-4 text-list">
                      <StatusDot tone={STATES[delivery.state][0]}>{STATES[delivery.state][1]}</StatusDot>
                      <RelativeTime at={delivery.createdAt} className="text-ink-soft" />
                    </span>
                  </Link>
                  {isOpen ? (
                    <DeliveryDetails endpointId={endpoint.id} delivery={delivery} details={details} />
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </Card>
      <nav aria-label="Pages of deliveries" className="flex gap-4 text-list empty:hidden">
        {cursor ? (
          <Link href={path} className="underline underline-offset-2 hover:decoration-2">
            Newest
          </Link>
        ) : null}
        {older ? (
          <Link href={query({ cursor: older })} className="underline underline-offset-2 hover:decoration-2">
            Older
          </Link>
        ) : null}
      </nav>
    </section>
  );
}

function outcomeOf({ attempts, lastStatus, lastError, nextAttemptAt, state }: Delivery) {
  if (attempts === 0) return state === 'pending' ? 'Being sent' : 'Not sent';
  const result = lastStatus === null ? (lastError ?? 'No response') : `Status ${lastStatus}`;
  return (
    <>
      {result} · {pluralize(attempts, 'attempt')}
      {nextAttemptAt === null ? null : (
        <>
          {' '}
          · next attempt <RelativeTime at={nextAttemptAt} />
        </>
      )}
    </>
  );
}

function DeliveryDetails({
  endpointId,
  delivery: { id, state },
  details: { request, attempts },
}: {
  endpointId: string;
  delivery: Delivery;
  details: Details;
}) {
  const head = [`POST ${request.url}`, ...Object.entries(request.headers).map((pair) => pair.join(': '))];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t bg-canvas px-5 py-4 text-list max-md:px-4">
      <Block
        title="Request"
        text={`${head.join('\n')}\n\n${JSON.stringify(JSON.parse(request.body), null, 2)}`}
      />
      {attempts.map(({ number, startedAt, durationMs, statusCode, error, response }) => (
        <div key={number} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <p>
            Attempt {number}: {statusCode === null ? (error ?? 'No response') : `status ${statusCode}`}{' '}
            <span className="text-ink-soft">
              after {durationMs} ms, <RelativeTime at={startedAt} />
            </span>
          </p>
          {response ? <Block title={`Response to attempt ${number}`} text={response} /> : null}
        </div>
      ))}
      {state === 'pending' ? null : (
        <div className="flex justify-start max-md:grid">
          <ResendButton id={endpointId} deliveryId={id} />
        </div>
      )}
    </div>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <ScrollArea aria-label={title} className="max-h-80 rounded-lg border bg-surface p-3">
      <pre className="font-mono text-xs">{text}</pre>
    </ScrollArea>
  );
}
