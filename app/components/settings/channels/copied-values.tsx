import { CopyButton } from '#app/components/ui/copy-button.tsx';

/** Named values to copy into a provider's settings. */
export function CopiedValues({ values }: { values: { label: string; value: string }[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] divide-y rounded-lg border bg-canvas text-list">
      {values.map(({ label, value }) => (
        <div
          key={label}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 py-1 pr-1 pl-3 sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
        >
          <dt className="text-ink-soft max-sm:col-span-2">{label}</dt>
          <dd className="contents">
            <span className="break-all font-mono text-xs">{value}</span>
            <CopyButton text={value} what={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
