import { ChevronRight } from 'lucide-react';
import { CopyButton } from '#app/components/ui/copy-button.tsx';

type Values = { label: string; value: string }[];

/** Named values to copy into a provider's settings. Long values are truncated, and their tooltip shows all of them. */
export function CopiedValues({ values }: { values: Values }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] divide-y rounded-lg border bg-canvas text-list">
      {values.map(({ label, value }) => (
        <div
          key={label}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-1 pr-1 pl-3 max-sm:py-2 sm:grid-cols-[6rem_minmax(0,1fr)_auto]"
        >
          <dt className="text-ink-soft">{label}</dt>
          <dd className="contents">
            <span title={value} className="truncate font-mono text-xs max-sm:row-start-2">
              {value}
            </span>
            <span className="max-sm:row-span-2">
              <CopyButton text={value} what={label} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Values to copy, collapsed once the provider has them. */
export function FoldedValues({ title, values, open }: { title: string; values: Values; open: boolean }) {
  return (
    <details className="group" open={open}>
      <summary className="flex w-fit items-center gap-1.5 rounded font-medium text-list max-md:h-11">
        <ChevronRight
          aria-hidden
          size={15}
          className="text-ink-faint transition-transform group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="mt-2">
        <CopiedValues values={values} />
      </div>
    </details>
  );
}
