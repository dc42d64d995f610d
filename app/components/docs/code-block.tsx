import { createElement, Fragment, type ReactNode } from 'react';
import { CopyButton } from '#app/components/ui/copy-button.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';

type Props = { title: string; text: string; json?: boolean };

/** A command, request or response with a copy button. Scrolls horizontally. */
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

/** Matches the key of a JSON line. The group makes `split` retain the keys. */
const KEYS = /^( *"(?:[^"\\\n]|\\.)*")(?=:)/m;

/** JSON with highlighted keys. */
function JsonText({ text }: { text: string }) {
  // Every second part is a key. Spread as children, static parts need no React keys.
  const parts = text
    .split(KEYS)
    .map((part, at) => (at % 2 ? createElement('span', { className: 'text-accent-ink' }, part) : part));
  return createElement(Fragment, null, ...parts);
}

/** Inline code. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="box-decoration-clone rounded-sm border border-line bg-canvas px-1 py-px font-mono text-[0.875em] text-ink leading-none [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
