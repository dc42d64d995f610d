import { Check, X } from 'lucide-react';

const can = [
  'Read and search contacts and conversations',
  'Create and update contacts',
  'Start conversations, and reply as you',
  'Add internal notes and tags; change status, priority, assignee and team',
  'Receive events as they happen',
];

const cannot = [
  'See passwords',
  'Change settings, members or billing',
  'Act outside the workspace you connect',
];

/** What a connection can do and what it can't, in plain lines. */
export function Abilities({ platformName }: { platformName: string }) {
  return (
    <div className="grid gap-4 rounded-lg border bg-canvas p-4">
      <section aria-labelledby="can" className="grid gap-2">
        <h2 id="can" className="text-list">
          {platformName} can
        </h2>
        <ul className="grid gap-1.5 text-list">
          {can.map((line) => (
            <li key={line} className="flex gap-2">
              <Check aria-hidden size={15} className="mt-0.5 shrink-0 text-good" />
              {line}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="cannot" className="grid gap-2">
        <h2 id="cannot" className="text-list">
          It can’t
        </h2>
        <ul className="grid gap-1.5 text-ink-soft text-list">
          {cannot.map((line) => (
            <li key={line} className="flex gap-2">
              <X aria-hidden size={15} className="mt-0.5 shrink-0" />
              {line}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
