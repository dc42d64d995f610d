import { recordAnchor } from '#app/components/docs/anchors.ts';
import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { FieldList } from '#app/components/docs/field-list.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import type { RecordView } from '#server/screens/docs/views.ts';

/** One record: its fields, beside an example. */
export function RecordSection({ record: { name, description, fields, example } }: { record: RecordView }) {
  const id = recordAnchor(name);
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 border-t py-8 xl:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <div className="grid gap-2">
          <Heading level={3} id={id}>
            {name}
          </Heading>
          <p className="text-ink-soft">{description}</p>
        </div>
        <FieldList title="Fields (always all of them)" fields={fields} />
      </div>
      {example ? (
        <div className="xl:sticky xl:top-20 xl:self-start">
          <CodeBlock title={name} text={example} json />
        </div>
      ) : null}
    </section>
  );
}
