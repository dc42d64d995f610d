import { CopyButton } from '#app/components/ui/copy-button.tsx';
import type { DomainView } from '#server/screens/settings/views.ts';

/** The record to add to the DNS of a domain, part by part as the pages of providers ask for it. */
export function DomainRecord({ record: { type, name, value } }: { record: DomainView['record'] }) {
  return (
    <div className="grid gap-2">
      <p className="max-w-[65ch] text-pretty text-list">
        Add this record to the DNS of the domain, for example at your registrar. Keep it there until the
        domain is verified.
      </p>
      <dl className="grid grid-cols-[minmax(0,1fr)] divide-y rounded-lg border bg-canvas text-list">
        <Part name="Type" value={type} />
        <Part name="Name" value={name} />
        <Part name="Value" value={value} />
      </dl>
    </div>
  );
}

function Part({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid grid-cols-[4rem_minmax(0,1fr)_auto] items-center gap-2 py-1 pr-1 pl-3">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="contents">
        <span className="break-all font-mono text-xs">{value}</span>
        <CopyButton text={value} what={name} />
      </dd>
    </div>
  );
}
