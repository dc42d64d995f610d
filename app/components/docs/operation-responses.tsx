import { RecordLink } from '#app/components/docs/record-link.tsx';
import { Words } from '#app/components/docs/words.ts';
import type { OperationView, ResponseView } from '#server/screens/docs/views.ts';

/** What a call may return: its success, what is particular to it, and a line for what all calls share. */
export function OperationResponses({ operation: { success, errors } }: { operation: OperationView }) {
  const shared = errors.filter((error) => !error.isParticular).map(({ status }) => status);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h4 className="font-medium text-ink-faint text-xs">Responses</h4>
      <dl className="border-y text-list">
        {[success, ...errors.filter((error) => error.isParticular)].map((response) => (
          <Response key={response.status} response={response} />
        ))}
        {shared.length ? (
          <div className="flex gap-3 border-line border-t py-2.5">
            <dt className="sr-only">Errors that every call can return</dt>
            <dd className="text-ink-soft">
              Like every call:{' '}
              <a href="#errors" className="rounded-sm text-accent-ink underline underline-offset-2">
                {shared.join(', ')}
              </a>
            </dd>
          </div>
        ) : null}
      </dl>
    </div>
  );
}

function Response({ response: { status, description, record, isList } }: { response: ResponseView }) {
  const isRecord = record !== null && !record.endsWith('Error');
  return (
    <div className="flex gap-3 border-line py-2.5 not-first:border-t">
      <dt className="tabular w-8 shrink-0 font-medium font-mono text-[0.8125rem]">{status}</dt>
      <dd className="min-w-0 max-w-[64ch] text-pretty text-ink-soft">
        <Words>{description}</Words>
        {isRecord ? (
          <>
            {' '}
            {isList ? 'A list of ' : 'The body is a '}
            <RecordLink type={record} record={record} />.
          </>
        ) : null}
      </dd>
    </div>
  );
}
