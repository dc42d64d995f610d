'use client';

import { Paperclip, SendHorizontal, X } from 'lucide-react';
import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { FileInput } from '#app/components/ui/input.tsx';
import { ChatProblem, type Draft } from '#app/components/web-chat/chat-api.ts';
import { IdentityFields } from '#app/components/web-chat/identity-fields.tsx';
import { cx } from '#app/lib/cx.ts';
import { formatSize } from '#app/lib/format-size.ts';
import { isComposing } from '#app/lib/is-composing.ts';

const FILES_MAX = 5;
const EMPTY = { content: '', name: '', email: '', files: [] as File[] };

type Props = {
  workspaceName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** The name and email fields: shown above the first message, later on request. */
  identity: 'shown' | 'on_request' | 'hidden';
  isDisabled: boolean;
  /** A message that was refused when it was sent again. */
  returned: Refused | null;
  send: (draft: Draft) => Promise<void>;
};

/** A refused message, with sentences by field. */
export type Refused = { draft: Omit<Draft, 'id'>; problems: Record<string, string> };

/**
 * Message form for visitors. Enter sends on devices with a keyboard. A refused message returns to the form with field
 * errors.
 */
export function ChatComposer({ workspaceName, field, identity, isDisabled, returned, send }: Props) {
  const [draft, setDraft] = useState(EMPTY);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [showsIdentity, setShowsIdentity] = useState(false);
  const [isNamed, setIsNamed] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const change = (changes: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...changes }));

  async function submit(event?: FormEvent) {
    event?.preventDefault();
    if (isDisabled) return;
    if (draft.content.trim() === '' && draft.files.length === 0) {
      setProblems({ content: 'Write a message or add a file.' });
      return;
    }
    setProblems({});
    const sent = identity === 'hidden' ? { ...draft, name: '', email: '' } : draft;
    setDraft(EMPTY);
    setShowsIdentity(false);
    field.current?.focus();
    try {
      await send({ ...sent, id: crypto.randomUUID() });
      if (sent.name.trim() !== '') setIsNamed(true);
    } catch (error) {
      if (!(error instanceof ChatProblem)) throw error;
      restore({ draft: sent, problems: error.fields });
    }
  }

  const restore = useCallback(({ draft: { content, name, email, files }, problems: found }: Refused) => {
    // Retain what was typed and chosen in the meantime.
    setDraft((now) => ({
      content: [content, now.content].filter(Boolean).join('\n'),
      name: name || now.name,
      email: email || now.email,
      files: withoutDuplicates([...files, ...now.files]),
    }));
    setProblems(found);
    setShowsIdentity((isShown) => isShown || name !== '' || email !== '');
  }, []);

  useEffect(() => {
    if (returned) restore(returned);
  }, [returned, restore]);

  useEffect(() => {
    if (Object.keys(problems).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  function addFiles(added: File[]) {
    const files = withoutDuplicates([...draft.files, ...added]);
    change({ files: files.slice(0, FILES_MAX) });
    setProblems(files.length > FILES_MAX ? { files: `A message can have up to ${FILES_MAX} files.` } : {});
  }

  const problem = problems.content ?? problems.files ?? problems.body ?? problems.id;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      aria-label="Write a message"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t px-4 py-3"
    >
      {identity === 'hidden' ? null : identity === 'shown' || showsIdentity ? (
        <IdentityFields
          workspaceName={workspaceName}
          name={draft.name}
          email={draft.email}
          problems={problems}
          change={change}
        />
      ) : (
        <button
          type="button"
          onClick={() => setShowsIdentity(true)}
          className="justify-self-start rounded text-accent-ink text-list hover:underline max-md:min-h-11"
        >
          {isNamed ? 'Leave your email address' : 'Leave your name or email address'}
        </button>
      )}
      {draft.files.length > 0 ? (
        <ul aria-label="Files to send" className="flex flex-wrap gap-2">
          {draft.files.map((file) => (
            <li
              key={keyOf(file)}
              className="flex max-w-full items-center gap-1.5 rounded-lg border pl-2.5 text-list"
            >
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="shrink-0 text-ink-faint text-xs">{formatSize(file.size)}</span>
              <IconButton
                icon={X}
                label={`Remove ${file.name}`}
                onClick={() => change({ files: draft.files.filter((each) => each !== file) })}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {problem ? <FieldError id="message-problem">{problem}</FieldError> : null}
      <div className="flex items-end gap-1.5">
        <IconButton
          icon={Paperclip}
          label="Add files"
          className="size-10 max-md:size-11"
          onClick={() => picker.current?.click()}
          disabled={isDisabled}
        />
        <FileInput ref={picker} onPick={addFiles} />
        <textarea
          ref={field}
          aria-label="Message"
          placeholder="Write a message"
          rows={1}
          value={draft.content}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'message-problem' : undefined}
          onChange={({ currentTarget }) => change({ content: currentTarget.value })}
          onKeyDown={(event) => {
            const isTyping = isComposing(event.nativeEvent) || event.shiftKey;
            if (event.key !== 'Enter' || isTyping || matchMedia('(pointer: coarse)').matches) return;
            event.preventDefault();
            void submit();
          }}
          onPaste={({ clipboardData }) => {
            if (clipboardData.files.length > 0) addFiles([...clipboardData.files]);
          }}
          className={cx(
            'field-sizing-content max-h-40 min-h-10 min-w-0 grow resize-none rounded-lg border border-line-control',
            'bg-surface px-3 py-2 text-sm placeholder:text-ink-faint aria-invalid:border-danger-ink max-md:text-base',
            'max-md:min-h-11',
          )}
        />
        <button
          type="submit"
          aria-label="Send"
          title="Send"
          disabled={isDisabled}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent hover:bg-accent-strong disabled:opacity-60 max-md:size-11"
        >
          <SendHorizontal aria-hidden size={18} />
        </button>
      </div>
    </form>
  );
}

function withoutDuplicates(files: File[]): File[] {
  return [...new Map(files.map((file) => [keyOf(file), file])).values()];
}

/** Identifies a file, to ignore duplicates. */
function keyOf({ name, size, lastModified }: File): string {
  return `${lastModified} ${size} ${name}`;
}
