'use client';

import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { charactersLeft } from '#app/components/composer/characters-left.ts';
import { CommandField, commandName } from '#app/components/composer/command-field.tsx';
import { runCommand } from '#app/components/composer/rare-actions.ts';
import { listenTo } from '#app/components/live/live-source.ts';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { attemptId, endAttempt } from '#app/lib/attempt-id.ts';
import { isComposing } from '#app/lib/is-composing.ts';
import { notReached, type Refused } from '#app/lib/outcome.ts';
import type { ListenedCommands } from '#server/screens/inbox/composer-views.ts';

type Props = {
  conversationId: string;
  listened: ListenedCommands;
  /** Maximum length of the details, in characters. */
  maxLength: number;
  initial: { command: string; details: string };
  onRan: () => void;
};

export function RunCommandForm({ conversationId, listened, maxLength, initial, onRan }: Props) {
  const first = listened.any ? '' : (listened.commands[0]?.name ?? '');
  const [command, setCommand] = useState(initial.command || first);
  const [details, setDetails] = useState(initial.details);
  const [refused, setRefused] = useState<Refused | null>(null);
  const screens = useScreens();
  const [pending, start] = usePendingTransition();
  const fields = refused?.fields ?? {};
  const isAtField = fields.command !== undefined || fields.arguments !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(async () => {
      const attempt = `run:${conversationId}`;
      const id = attemptId(attempt, [commandName(command), details.trim()]);
      const outcome = await runCommand({ conversationId, id, command, arguments: details }).catch(notReached);
      if (outcome.done) endAttempt(attempt);
      setRefused(outcome.done ? null : outcome);
      const isReadOnly = !outcome.done && outcome.fields.conversation !== undefined;
      // A merged conversation, for example: the read-only composer replaces this form, with a link to the other one.
      if (isReadOnly) toast.error(`/${commandName(command)} was not run`, { description: outcome.problem });
      if (isReadOnly || outcome.done) void refetchTopic('conversations');
      if (!outcome.done) return;
      followRun(screens, { runId: id, command: commandName(command) });
      onRan();
    });
  };
  const onKeyDown = (press: KeyboardEvent<HTMLFormElement>) => {
    if (press.key !== 'Enter' || !(press.ctrlKey || press.metaKey) || isComposing(press.nativeEvent)) return;
    press.preventDefault();
    if (!pending && commandName(command) !== '') press.currentTarget.requestSubmit();
  };
  // With a command already chosen, focus the details.
  const isChosen = (initial.command || first) !== '';
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} aria-label="Run a command" className="grid gap-3">
      {refused && !isAtField ? <Alert>{refused.problem}</Alert> : null}
      <CommandField
        listened={listened}
        value={command}
        onValue={setCommand}
        problem={fields.command}
        autoFocus={!isChosen}
      />
      <Field
        label="Details"
        hint={
          charactersLeft(details, maxLength).sentence ?? 'Sent to the workflow. The contact won’t see it.'
        }
        problem={fields.arguments}
      >
        {({ id, describedBy, invalid }) => (
          <textarea
            id={id}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            // biome-ignore lint/a11y/noAutofocus: the user opened this form
            autoFocus={isChosen}
            rows={3}
            value={details}
            onChange={(change) => setDetails(change.target.value)}
            className="control control-text min-h-18 resize-y"
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="primary"
        disabled={pending || commandName(command) === ''}
        aria-busy={pending}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        title="Ctrl or Cmd + Enter"
        className="justify-self-end"
      >
        {pending ? 'Running' : 'Run'}
      </Button>
    </form>
  );
}

/** Time for which the toast of a command follows it, in ms. The thread shows the state afterwards. */
const FOLLOW_MS = 60_000;

/** Shows what becomes of a command in one toast, until it is delivered or failed. */
function followRun(screens: ScreensClient, { runId, command }: { runId: string; command: string }): void {
  const options = (description: string) => ({ id: runId, description });
  let shown = '';
  const check = async () => {
    // The next live message checks again.
    const run = await screens.commands.state.query({ runId }).catch(() => null);
    if (!run || run.sentence === shown) return;
    shown = run.sentence;
    if (run.state === 'delivered') toast.success(`/${command}`, options(run.sentence));
    else if (run.state === 'failed') toast.error(`/${command}`, options(run.sentence));
    else toast(`/${command}`, options(run.sentence));
    if (run.state === 'delivered' || run.state === 'failed') stop();
  };
  const unlisten = listenTo('conversations', () => void check());
  const timer = setTimeout(() => stop(), FOLLOW_MS);
  const stop = () => {
    clearTimeout(timer);
    unlisten();
  };
  void check();
}
