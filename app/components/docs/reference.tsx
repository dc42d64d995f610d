import type { ReactNode } from 'react';
import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { FieldList, Words } from '#app/components/docs/field-list.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import { recordAnchor } from '#app/components/docs/nav-groups.ts';
import { OperationSection } from '#app/components/docs/operation-section.tsx';
import type { EventView, RecordView, ReferenceView } from '#server/screens/docs/views.ts';

/** Lists every call, event and record of the OpenAPI document. */
export function Reference({
  reference,
  apiBase,
  tokenVariable,
}: {
  reference: ReferenceView;
  apiBase: string;
  tokenVariable?: string;
}) {
  const { groups, events, records } = reference;
  const envelope = `${reference.envelope.slice(0, -1).join(', ')} and ${reference.envelope.at(-1)}`;
  return (
    <>
      {groups.map(({ name, description, operations }) => (
        <Group key={name} id={`calls-${name}`} title={name} text={description}>
          {operations.map((operation) => (
            <OperationSection
              key={operation.id}
              operation={operation}
              apiBase={apiBase}
              tokenVariable={tokenVariable}
            />
          ))}
        </Group>
      ))}
      {events.length === 0 ? null : (
        <Group
          id="events"
          title="Events"
          text={`Bodies of deliveries. Each has these fields in addition to ${envelope}.`}
        >
          {events.map((event) => (
            <EventSection key={event.id} event={event} envelope={envelope} />
          ))}
        </Group>
      )}
      <Group
        id="records"
        title="Records"
        text="Shapes shared by calls and events. Unknown values are null, never omitted."
      >
        {records.map((record) => (
          <RecordSection key={record.name} record={record} />
        ))}
      </Group>
    </>
  );
}

type GroupProps = { id: string; title: string; text: string; children: ReactNode };

function Group({ id, title, text, children }: GroupProps) {
  return (
    <section className="border-t">
      <div className="grid gap-1 pt-10 pb-6">
        <Heading level={2} id={id}>
          {title}
        </Heading>
        <p className="text-ink-soft">{text}</p>
      </div>
      {children}
    </section>
  );
}

function EventSection({ event, envelope }: { event: EventView; envelope: string }) {
  const { id, key, name, description, fields, isInData, example } = event;
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
        <FieldList title={isInData ? 'In data' : `In addition to ${envelope}`} fields={fields} />
      </div>
      {example === null ? null : (
        <div className="xl:sticky xl:top-20 xl:self-start">
          <CodeBlock title={`Body of ${key}`} text={example} json />
        </div>
      )}
    </section>
  );
}

function RecordSection({ record: { name, description, fields, example } }: { record: RecordView }) {
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
        <FieldList title="Fields (all always present)" fields={fields} />
      </div>
      {example ? (
        <div className="xl:sticky xl:top-20 xl:self-start">
          <CodeBlock title={name} text={example} json />
        </div>
      ) : null}
    </section>
  );
}
