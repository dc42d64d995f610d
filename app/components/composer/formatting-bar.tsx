import { type Editor, useEditorState } from '@tiptap/react';
import {
  Bold,
  Code,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  RemoveFormatting,
  SquareCode,
} from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { linkAddress } from '#app/components/composer/link-address.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import { cx } from '#app/lib/cx.ts';

type Format = {
  name: string;
  label: string;
  icon: LucideIcon;
  run: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>;
};

const FORMATS: Format[] = [
  { name: 'bold', label: 'Bold (Ctrl or Cmd + B)', icon: Bold, run: (chain) => chain.toggleBold() },
  { name: 'italic', label: 'Italic (Ctrl or Cmd + I)', icon: Italic, run: (chain) => chain.toggleItalic() },
  { name: 'bulletList', label: 'Bulleted list', icon: List, run: (chain) => chain.toggleBulletList() },
  {
    name: 'orderedList',
    label: 'Numbered list',
    icon: ListOrdered,
    run: (chain) => chain.toggleOrderedList(),
  },
  { name: 'code', label: 'Code', icon: Code, run: (chain) => chain.toggleCode() },
  { name: 'codeBlock', label: 'Code block', icon: SquareCode, run: (chain) => chain.toggleCodeBlock() },
];

/** The buttons above a text with formatting: one tab stop, then arrow keys. */
export function FormattingBar({ editor, onPlain }: { editor: Editor; onPlain: () => void }) {
  const active = useEditorState({
    editor,
    selector: ({ editor: shown }) =>
      FORMATS.filter(({ name }) => shown.isActive(name)).map(({ name }) => name),
  });
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex items-center border-b px-1 py-0.5"
      // The selection in the text stays.
      onMouseDown={(press) => press.preventDefault()}
    >
      {FORMATS.map(({ name, label, icon: Icon, run }) => (
        <Toolbar.Button
          key={name}
          aria-label={label.replace(/ \(.*/, '')}
          data-tip={label}
          aria-pressed={active.includes(name)}
          onClick={() => run(editor.chain().focus()).run()}
          className={BUTTON}
        >
          <Icon aria-hidden size={16} strokeWidth={1.75} />
        </Toolbar.Button>
      ))}
      <LinkButton editor={editor} />
      <span className="grow" />
      <Toolbar.Button
        aria-label="Plain text"
        data-tip="Remove formatting"
        onClick={onPlain}
        className={BUTTON}
      >
        <RemoveFormatting aria-hidden size={16} strokeWidth={1.75} />
      </Toolbar.Button>
    </Toolbar.Root>
  );
}

const BUTTON = cx('icon-button', 'shrink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink');

/** Links the selected text, or inserts the address where nothing is selected. */
function LinkButton({ editor }: { editor: Editor }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const href = useEditorState({
    editor,
    selector: ({ editor: shown }) => {
      const { href: address } = shown.getAttributes('link');
      return typeof address === 'string' ? address : null;
    },
  });
  const close = () => {
    setOpen(false);
    setProblem(null);
    // At once: what is typed next belongs to the text, also while the panel fades out.
    editor.view.focus();
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const typed = String(new FormData(event.currentTarget).get('address'));
    const address = linkAddress(typed);
    if (address === null) return setProblem('Enter a web address, an email address or a phone number.');
    const link = { type: 'link', attrs: { href: address } };
    const chain = editor.chain().focus();
    if (href === null && editor.state.selection.empty) {
      chain
        .insertContent({ type: 'text', text: typed.trim(), marks: [link] })
        .unsetMark('link')
        .run();
    } else chain.extendMarkRange('link').setLink({ href: address }).run();
    close();
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    close();
  };
  return (
    <Popover
      control={{ open, onOpenChange: (next) => (next ? setOpen(true) : close()) }}
      aria-label="Link"
      side="top"
      align="start"
      className="z-30 w-80 max-w-[90vw] p-3"
      onMouseDown={(press) => press.stopPropagation()}
      onCloseAutoFocus={(closing) => closing.preventDefault()}
      trigger={
        <Toolbar.Button aria-label="Link" data-tip="Link" aria-pressed={href !== null} className={BUTTON}>
          <Link aria-hidden size={16} strokeWidth={1.75} />
        </Toolbar.Button>
      }
    >
      <form onSubmit={save} noValidate className="grid gap-3">
        <Field label="Address" problem={problem ?? undefined}>
          {(control) => (
            <Input
              {...control}
              name="address"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              defaultValue={href ?? ''}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          {href === null ? null : (
            <Button variant="quiet" onClick={remove}>
              Remove link
            </Button>
          )}
          <Button variant="primary" type="submit">
            {href === null ? 'Add link' : 'Save'}
          </Button>
        </div>
      </form>
    </Popover>
  );
}
