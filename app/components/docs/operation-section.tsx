import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { curlOf } from '#app/components/docs/curl-of.ts';
import { FieldList } from '#app/components/docs/field-list.tsx';
import { Heading } from '#app/components/docs/heading.tsx';
import { MethodName } from '#app/components/docs/method-name.tsx';
import { OperationResponses } from '#app/components/docs/operation-responses.tsx';
import { Words } from '#app/components/docs/words.ts';
import type { OperationView } from '#server/screens/docs/views.ts';

/** One call: what it does, takes and returns, beside an example of it. */
export function OperationSection({ operation, apiBase }: { operation: OperationView; apiBase: string }) {
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
        <OperationResponses operation={operation} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 xl:sticky xl:top-20 xl:self-start">
        <CodeBlock title="Request" text={curlOf(operation, apiBase)} />
        {success.example ? (
          <CodeBlock title={`Response ${success.status}`} text={success.example} json />
        ) : null}
      </div>
    </section>
  );
}
