import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { FieldList, RecordLink, Words } from '#app/components/docs/field-list.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import { MethodName } from '#app/components/docs/method-name.tsx';
import { curlOf } from '#server/screens/docs/curl-of.ts';
import type { OperationView, ResponseView } from '#server/screens/docs/views.ts';

type Props = { operation: OperationView; apiBase: string; tokenVariable?: string | undefined };

export function OperationSection({ operation, apiBase, tokenVariable }: Props) {
  const { id, method, path, summary, description, success } = operation;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 border-t py-8 xl:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <div className="grid gap-2">
          <Heading level={3} id={id}>
            {summary}
          </Heading>
          <p className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <MethodName method={method} />
            <code className="min-w-0 font-mono text-list">{path}</code>
          </p>
          <p className="max-w-[68ch] text-pretty text-ink-soft leading-6">
            <Words>{description}</Words>
          </p>
        </div>
        <FieldList title="In the path" fields={operation.pathFields} />
        <FieldList title="In the query" fields={operation.queryFields} marksRequired />
        <FieldList title="In the body" fields={operation.bodyFields} marksRequired />
        <FieldList title="In a header" fields={operation.headerFields} marksRequired />
        <OperationResponses operation={operation} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 xl:sticky xl:top-20 xl:self-start">
        <CodeBlock title="Request" text={curlOf(operation, apiBase, tokenVariable)} />
        {success.example ? (
          <CodeBlock title={`Response ${success.status}`} text={success.example} json />
        ) : null}
      </div>
    </section>
  );
}

/** Lists the success response, the errors specific to this call, and a link to the shared errors. */
function OperationResponses({ operation: { success, errors } }: { operation: OperationView }) {
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
            {isList ? 'A list of ' : `The body is ${/^[AEIOU]/.test(record) ? 'an' : 'a'} `}
            <RecordLink type={record} record={record} />.
          </>
        ) : null}
      </dd>
    </div>
  );
}
