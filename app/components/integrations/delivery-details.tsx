import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { AttemptTimeline } from '#app/components/integrations/attempt-timeline.tsx';
import { RedeliverButton } from '#app/components/integrations/redeliver-buttons.tsx';
import { DescriptionItem, DescriptionList, TimeItem } from '#app/components/ui/description-list.tsx';
import type { OpenDelivery } from '#server/screens/integrations/views.ts';

type Props = { delivery: OpenDelivery; platformName: string };

/** A delivery in full: its state and why, its attempts, what was sent and to whom. */
export function DeliveryDetails({ delivery, platformName }: Props) {
  const { hook, summary, body, eventId, occurredAt, canRedeliver, endedAt } = delivery;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 p-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:px-9">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <div className="grid justify-items-start gap-3">
          <p className="max-w-[65ch] text-pretty text-sm">{summary}</p>
          {canRedeliver ? <RedeliverButton delivery={delivery} platformName={platformName} /> : null}
          {endedAt && hook.removed ? (
            <p className="max-w-[65ch] text-pretty text-ink-soft text-list">
              It cannot be sent again because the workflow was removed.
              {summary.includes(hook.removed) ? null : ` ${hook.removed}`}
            </p>
          ) : null}
        </div>
        <AttemptTimeline delivery={delivery} />
      </div>
      <div className="lg:row-span-2">
        <CodeBlock title="Event sent" text={body} json />
      </div>
      <div>
        <DescriptionList>
          <TimeItem name="Happened" at={occurredAt} />
          <DescriptionItem name="Event ID, the same in every attempt">
            <span className="font-mono text-xs">{eventId}</span>
          </DescriptionItem>
          <DescriptionItem name="Sent to">
            <span className="font-mono text-xs">{hook.targetUrl}</span>
          </DescriptionItem>
          <DescriptionItem name="Connected by">{hook.teammateName}</DescriptionItem>
        </DescriptionList>
      </div>
    </div>
  );
}
