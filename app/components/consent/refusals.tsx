import type { ReactNode } from 'react';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { HiddenFields } from '#app/components/consent/hidden-fields.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import type { PostedForm } from '#server/screens/consent/views.ts';

type Props = {
  title: string;
  workspaceName?: string | undefined;
  /** What is wrong, why, and what to do next. */
  children: ReactNode;
  next?: { label: string; href: string };
  otherwise?: { label: string; href: string };
  /** Given where the request is the platform's, which gets the refusal. */
  cancel?: PostedForm;
};

/** A case in which nothing was connected. */
export function Refusal({ title, workspaceName, children, next, otherwise, cancel }: Props) {
  return (
    <ConsentCard title={title} workspaceName={workspaceName}>
      <div className="grid gap-3 text-ink-soft [overflow-wrap:anywhere]">{children}</div>
      <div className="grid gap-2">
        {next ? (
          <a href={next.href} className={buttonClass('primary')}>
            {next.label}
          </a>
        ) : null}
        {cancel ? <CancelForm form={cancel} /> : null}
      </div>
      {otherwise ? (
        <a href={otherwise.href} className="justify-self-center text-accent-ink hover:underline">
          {otherwise.label}
        </a>
      ) : null}
    </ConsentCard>
  );
}

/** The way back to the platform, which learns that nothing was connected. */
function CancelForm({ form }: { form: PostedForm }) {
  return (
    <form method="post" action={form.action} className="grid">
      <HiddenFields fields={form.fields} />
      <Button type="submit" name="decision" value="cancel">
        Cancel
      </Button>
    </form>
  );
}
