import { CopyButton } from '#app/components/docs/copy-button.tsx';
import { JsonText } from '#app/components/docs/json-text.ts';
import { ScrollArea } from '#app/components/ui/layout/scroll-area.tsx';

type Props = { title: string; text: string; json?: boolean };

/** Something to read or copy as it is: a command, a request, an answer. Long ones scroll by themselves. */
export function CodeBlock({ title, text, json = false }: Props) {
  return (
    <figure className="overflow-hidden rounded-lg border bg-canvas">
      <figcaption className="flex h-9 items-center justify-between gap-2 border-b pr-1 pl-3 text-ink-soft text-xs max-md:h-11">
        <span className="min-w-0 truncate font-medium">{title}</span>
        <CopyButton text={text} what={title} />
      </figcaption>
      <ScrollArea className="max-h-[28rem] overflow-x-auto">
        <pre className="w-max min-w-full p-3 font-mono text-[0.78125rem] leading-[1.2rem]">
          <code>{json ? <JsonText text={text} /> : text}</code>
        </pre>
      </ScrollArea>
    </figure>
  );
}
