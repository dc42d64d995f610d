import { Plug } from 'lucide-react';
import Link from 'next/link';
import { removeIntegration } from '#app/components/integrations/actions.ts';
import { AddSampleButton } from '#app/components/integrations/add-sample-button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { cx } from '#app/lib/cx.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { SlotsView } from '#server/screens/integrations/views.ts';

export function SlotUsage({ slots }: { slots: SlotsView }) {
  return (
    <Card className="p-5">
      <section aria-labelledby="slots" className="grid gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id="slots" tabIndex={-1}>
            Integration slots
          </h2>
          <p className="tabular text-ink-soft text-list">{usage(slots)}</p>
        </div>
        {slots.limit === null ? null : <SlotBar limit={slots.limit} used={slots.used} />}
        {slots.integrations.length === 0 ? (
          <p className="text-ink-soft text-list">No integration uses a slot yet.</p>
        ) : (
          <ul className="grid gap-2 text-list">
            {slots.integrations.map((integration) => (
              <li key={integration.id} className="flex items-baseline gap-2">
                <Plug aria-hidden size={15} className="shrink-0 translate-y-0.5 text-ink-faint" />
                <span className="grid min-w-0 grow">
                  <span className="font-medium [overflow-wrap:anywhere]">{integration.name}</span>
                  <span className="text-ink-soft text-xs">
                    Added <RelativeTime at={integration.since} />
                    {integration.isPlatform ? ', one slot for all its connections' : null}
                  </span>
                </span>
                {integration.isPlatform ? null : <RemoveButton integration={integration} />}
              </li>
            ))}
          </ul>
        )}
        {slots.mayAddSample ? <AddSampleButton /> : null}
        {/* When a disconnect frees the platform's slot, the list of connections manages the focus. */}
        <FocusWhenLost on={slots.integrations.filter(({ isPlatform }) => !isPlatform).length} goTo="slots" />
        <FullNotice slots={slots} />
      </section>
    </Card>
  );
}

function usage({ limit, used, planName }: SlotsView): string {
  if (limit === null) return `${pluralize(used, 'slot')} used, unlimited on ${planName}`;
  if (used > limit) return `${used} in use, ${limit} included in ${planName}`;
  return `${used} of ${pluralize(limit, 'slot')} used on ${planName}`;
}

function FullNotice({ slots: { limit, used, planName, integrations } }: { slots: SlotsView }) {
  if (limit === null || used < limit) return null;
  const platform = integrations.find(({ isPlatform }) => isPlatform);
  return (
    <p className="border-t pt-4 text-ink-soft text-list">
      {used > limit
        ? `The ${planName} plan includes ${pluralize(limit, 'slot')}. Existing integrations stay connected.`
        : 'All slots are in use.'}{' '}
      {platform
        ? `Teammates can still connect to ${platform.name}. Another integration needs a free slot.`
        : 'Free a slot to connect another integration.'}{' '}
      <Link href="/settings/plan" className="font-medium text-accent-ink hover:underline">
        Compare plans
      </Link>
    </p>
  );
}

/** Removes an integration other than the platform's. */
function RemoveButton({ integration: { id, name } }: { integration: { id: string; name: string } }) {
  return (
    <DeleteButton
      verb="Remove"
      name={name}
      done={`${name} removed, its slot is free`}
      act={removeIntegration.bind(null, id)}
      variant="quiet"
      className="-my-2 -mr-2.5 px-2.5"
    >
      <p>{name} can no longer access this workspace. Its changes stay.</p>
      <p>Its slot is freed immediately. Adding it again needs a free slot.</p>
    </DeleteButton>
  );
}

function SlotBar({ limit, used }: { limit: number; used: number }) {
  const pieces = Array.from({ length: limit }, (_, index) => index + 1);
  return (
    <div
      role="img"
      aria-label={`${Math.min(used, limit)} of ${limit} in use`}
      className="grid auto-cols-fr grid-flow-col gap-1"
    >
      {pieces.map((piece) => (
        <span
          key={piece}
          className={cx(
            'h-2 rounded-sm border',
            piece <= used ? 'border-accent bg-accent' : 'border-line-control',
          )}
        />
      ))}
    </div>
  );
}
