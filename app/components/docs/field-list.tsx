import { createElement, Fragment } from 'react';
import { Code } from '#app/components/docs/code-block.tsx';
import { recordAnchor } from '#app/components/docs/nav-groups.ts';
import type { FieldView } from '#server/screens/docs/views.ts';

type Props = { title: string; fields: FieldView[]; marksRequired?: boolean };

export function FieldList({ title, fields, marksRequired = false }: Props) {
  if (fields.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h4 className="font-medium text-ink-faint text-xs">{title}</h4>
      <dl className="border-y text-list">
        {fields.map((field) => (
          <div key={field.name} className="grid gap-1 border-line py-2.5 not-first:border-t">
            <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
              <code className="font-medium font-mono text-[0.8125rem]">{field.name}</code>
              <span className="text-ink-faint text-xs">
                <RecordLink type={field.type} record={field.record} />
              </span>
              {marksRequired && field.required ? (
                <span className="font-medium text-danger-ink text-xs">required</span>
              ) : null}
            </dt>
            <dd className="grid max-w-[68ch] gap-1 text-pretty text-ink-soft">
              <span>
                <Words>{field.description}</Words>
              </span>
              <Limits field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Limits({ field: { limits, values } }: { field: FieldView }) {
  return (
    <>
      {limits.length ? (
        <span className="text-ink-faint text-xs first-letter:uppercase">{limits.join(', ')}</span>
      ) : null}
      {values.length > 1 ? (
        <span className="flex flex-wrap gap-1 py-0.5">
          <span className="sr-only">One of: </span>
          {values.map((value) => (
            <Code key={value}>{value}</Code>
          ))}
        </span>
      ) : null}
    </>
  );
}

/** A type name, with a link to the record in it. */
export function RecordLink({ type, record }: { type: string; record: string | null }) {
  const at = record === null ? -1 : type.indexOf(record);
  if (record === null || at === -1) return type;
  return (
    <>
      {type.slice(0, at)}
      <a
        href={`#${recordAnchor(record)}`}
        className="rounded-sm text-accent-ink underline underline-offset-2"
      >
        {record}
      </a>
      {type.slice(at + record.length)}
    </>
  );
}

/** A sentence of the OpenAPI document. Text between backticks is code. */
export function Words({ children }: { children: string }) {
  // Every second part was between backticks. Spread as children, static parts need no keys.
  const parts = children.split('`').map((part, at) => (at % 2 ? createElement(Code, null, part) : part));
  return createElement(Fragment, null, ...parts);
}
