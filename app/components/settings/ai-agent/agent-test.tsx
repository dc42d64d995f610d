'use client';

import { Bot } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { change } from '#app/components/live/page-data.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Textarea } from '#app/components/ui/input.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { cx } from '#app/lib/cx.ts';
import type { AgentTestView } from '#server/screens/settings/channel-views.ts';

/** Sends a message as a contact and returns the updated test conversation. */
const testAgent = change(({ aiAgent }, conversationId: string | null, content: string) =>
  aiAgent.test.mutate({ conversationId, content }),
);

/** A test conversation with the agent. Each visit starts a new one. */
export function AgentTest({ mayTest }: { mayTest: boolean }) {
  const [test, setTest] = useState<AgentTestView | null>(null);
  const [sending, setSending] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const field = useRef<HTMLTextAreaElement>(null);

  const send = () => {
    const content = typed;
    if (pending) return;
    setTyped('');
    setSending(content);
    setProblem(null);
    start(async () => {
      const outcome = await testAgent(test?.conversationId ?? null, content);
      setSending(null);
      field.current?.focus();
      if (outcome.done) return setTest(outcome.value);
      setProblem(outcome.problem);
      setTyped(content);
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const startOver = () => {
    setTest(null);
    setProblem(null);
    field.current?.focus();
  };

  if (!mayTest) {
    return (
      <p className="text-ink-soft">Viewers can’t test the agent. Ask an owner or admin for another role.</p>
    );
  }
  const messages = test?.messages ?? [];
  return (
    <Card>
      <div
        role="log"
        aria-label="Test conversation"
        aria-busy={pending}
        className="grid min-h-64 content-end gap-4 p-5 max-md:p-4"
      >
        {messages.length === 0 && sending === null ? (
          <EmptyState icon={Bot} title="No messages yet">
            <p>Ask one of the saved questions in other words.</p>
          </EmptyState>
        ) : null}
        {messages.map(({ id, from, content }) => (
          <TestMessage key={id} from={from} content={content} />
        ))}
        {sending !== null ? <TestMessage from="tester" content={sending} /> : null}
        {pending ? <p className="text-ink-soft text-list">The agent is thinking</p> : null}
        {test && !pending ? <Outcome test={test} /> : null}
      </div>
      <form
        onSubmit={onSubmit}
        noValidate
        aria-label="Write as a contact"
        className="grid gap-3 border-t p-5 max-md:p-4"
      >
        <Field label="Your message as a contact" problem={problem}>
          {({ id, describedBy, invalid }) => (
            <Textarea
              ref={field}
              id={id}
              rows={3}
              value={typed}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit(event);
              }}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2 max-md:flex-col-reverse">
          {test ? (
            <Button variant="quiet" onClick={startOver}>
              Start over
            </Button>
          ) : null}
          <Button type="submit" variant="primary" aria-busy={pending}>
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Explains the agent's decision after the last message. */
function Outcome({ test: { answered, status } }: { test: AgentTestView }) {
  return (
    <p className="text-ink-soft text-list">
      {answered ? (
        <StatusDot tone={status === 'solved' ? 'done' : 'waiting'} wrap>
          <span>Answered. The conversation is now {status}.</span>
        </StatusDot>
      ) : (
        <StatusDot tone="quiet" wrap>
          <span>No answer. The agent isn’t confident, so the message would wait for a teammate.</span>
        </StatusDot>
      )}
    </p>
  );
}

type TestMessageProps = Pick<AgentTestView['messages'][number], 'from' | 'content'>;

/** A test message: the contact's on the left, the agent's on the right. */
function TestMessage({ from, content }: TestMessageProps) {
  const isAgent = from === 'agent';
  return (
    <div className={cx('grid min-w-0 gap-1', isAgent && 'justify-items-end')}>
      <p className="font-semibold text-list">{isAgent ? 'AI agent' : 'You, as a contact'}</p>
      <p
        dir="auto"
        className={cx(
          'w-fit max-w-[85%] whitespace-pre-wrap rounded-lg px-3 py-2 [overflow-wrap:anywhere]',
          isAgent ? 'bg-accent-soft' : 'bg-hover',
        )}
      >
        {content}
      </p>
    </div>
  );
}
