import type { ReactNode } from 'react';
import { EventSection } from '#app/components/docs/event-section.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import { OperationSection } from '#app/components/docs/operation-section.tsx';
import { RecordSection } from '#app/components/docs/record-section.tsx';
import type { ReferenceView } from '#server/screens/docs/views.ts';

/** Every call, event and record, as the contract has them. */
export function Reference({ reference, apiBase }: { reference: ReferenceView; apiBase: string }) {
  const { groups, events, records } = reference;
  return (
    <>
      {groups.map(({ name, description, operations }) => (
        <Group key={name} id={`calls-${name}`} title={name} text={description}>
          {operations.map((operation) => (
            <OperationSection key={operation.id} operation={operation} apiBase={apiBase} />
          ))}
        </Group>
      ))}
      <Group
        id="events"
        title="Events"
        text="What a hook receives. Each body has these fields besides id, event and occurred_at."
      >
        {events.map((event) => (
          <EventSection key={event.id} event={event} />
        ))}
      </Group>
      <Group
        id="records"
        title="Records"
        text="The shapes that calls and events share. Unknown values are null, never left out."
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
