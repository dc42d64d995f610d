import { AttachButton } from '#app/components/composer/attach-button.tsx';
import { CopiesButton } from '#app/components/composer/copies-button.tsx';
import { CopyFields } from '#app/components/composer/copy-fields.tsx';
import { DraftFiles } from '#app/components/composer/draft-files.tsx';
import type { EnclosuresDraft } from '#app/components/composer/use-enclosures.ts';
import { allAddresses } from '#app/components/drafts/copies.ts';
import { FieldError } from '#app/components/ui/field.tsx';

type Props = { enclosures: EnclosuresDraft; problem: string | undefined };

/** Cc and Bcc of a new conversation, posted as JSON lists. */
export function NewCopies({ enclosures, problem }: Props) {
  const { shown, cc, bcc } = enclosures.copies;
  return (
    <div className="grid gap-1 text-list">
      {shown === 'all' ? (
        <div className="rounded-lg border border-line-control px-3 [&>div>:last-child]:border-b-0">
          <CopyFields enclosures={enclosures} />
        </div>
      ) : (
        <p className="flex text-xs">
          <CopiesButton enclosures={enclosures} />
        </p>
      )}
      {problem ? <FieldError>{problem}</FieldError> : null}
      <input type="hidden" name="cc" value={JSON.stringify(allAddresses(cc))} />
      <input type="hidden" name="bcc" value={JSON.stringify(allAddresses(bcc))} />
    </div>
  );
}

/** Attachments of a new conversation, posted as a JSON list. */
export function NewFiles({ enclosures, problem }: Props) {
  return (
    <div className="grid gap-1">
      <AttachButton onPick={enclosures.addFiles} isNamed />
      <DraftFiles files={enclosures.files} onRemove={enclosures.removeFile} />
      {problem ? <FieldError>{problem}</FieldError> : null}
      <input type="hidden" name="files" value={JSON.stringify(enclosures.uploaded)} />
    </div>
  );
}
