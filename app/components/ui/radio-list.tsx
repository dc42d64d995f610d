'use client';

import { type ReactNode, useId } from 'react';
import { FieldError } from '#app/components/ui/field.tsx';
import { Skeleton } from '#app/components/ui/skeleton.tsx';

/** Search results or an error. Null while searching. */
export type Found<Row> = Row[] | { problem: string } | null;

type Props<Row> = {
  legend: string;
  found: Found<Row>;
  /** Announced while searching, for example `Searching contacts`. */
  searching: string;
  /** Shown without results. */
  empty: string;
  chosenId: string | undefined;
  onChoose: (row: Row) => void;
  /** Reason why a row cannot be chosen, or null. */
  problemOf?: (row: Row) => string | null;
  children: (row: Row) => ReactNode;
};

/** Search results as a radio list, each row drawn by `children`. */
export function RadioList<Row extends { id: string }>({
  legend,
  found,
  searching,
  empty,
  chosenId,
  onChoose,
  problemOf = () => null,
  children,
}: Props<Row>) {
  const name = useId();
  if (found === null) return <Searching label={searching} />;
  if ('problem' in found) return <FieldError>{found.problem}</FieldError>;
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-list">{legend}</legend>
      {found.length === 0 ? (
        <p role="status" className="text-ink-soft text-list">
          {empty}
        </p>
      ) : (
        <ul className="scroll-pane max-h-64 divide-y rounded-lg border">
          {found.map((row) => (
            <li key={row.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-list hover:bg-hover has-checked:bg-accent-soft has-aria-disabled:cursor-default has-aria-disabled:hover:bg-transparent">
                <input
                  type="radio"
                  name={name}
                  checked={chosenId === row.id}
                  // Not `disabled`, so that keyboard users reach the reason.
                  aria-disabled={problemOf(row) !== null || undefined}
                  onChange={() => problemOf(row) === null && onChoose(row)}
                  className="size-4 shrink-0 accent-accent"
                />
                {children(row)}
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

function Searching({ label }: { label: string }) {
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">{label}</span>
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
      <Skeleton className="w-3/5" />
    </div>
  );
}
