import { Code } from '#app/components/docs/code.tsx';
import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { FieldList } from '#app/components/docs/field-list.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import { Words } from '#app/components/docs/words.ts';
import type { EventView } from '#server/screens/docs/views.ts';

/** One event: when it happens and what it carries, beside an example of its body. */
export function EventSection({
  event: { id, key, name, description, fields, example },
}: {
  event: EventView;
}) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 border-t py-8 xl:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <div className="grid gap-2">
          <Heading level={3} id={id}>
            {name}
          </Heading>
          <p>
            <Code>{key}</Code>
          </p>
          <p className="max-w-[68ch] text-pretty text-ink-soft leading-6">
            <Words>{description}</Words>
          </p>
        </div>
        <FieldList title="Besides id, event and occurred_at" fields={fields} />
      </div>
      <div className="xl:sticky xl:top-20 xl:self-start">
        <CodeBlock title={`Body of ${key}`} text={example} json />
      </div>
    </section>
  );
}
