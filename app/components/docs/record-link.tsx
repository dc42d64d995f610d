import { recordAnchor } from '#app/components/docs/anchors.ts';

/** The name of a type; the record in it links to its description. */
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
