import { Fragment, type ReactNode } from 'react';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { HiddenFields } from '#app/components/consent/consent-form.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { pluralize } from '#app/lib/format-count.ts';
import type { Askable, ConsentView, PostedForm } from '#server/screens/consent/views.ts';

type Props = {
  title: string;
  workspaceName?: string | undefined;
  /** Explains the problem, its cause and the next step. */
  children: ReactNode;
  next?: { label: string; href: string };
  otherwise?: { label: string; href: string };
  /** Present for valid platform requests: cancelling redirects back to the platform. */
  cancel?: PostedForm;
};

/** A refusal: nothing was connected. */
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

/** Posts the cancel decision, which redirects to the platform with `access_denied`. */
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

/** The rate limit refused the form. */
export function TooManyAttempts({ view }: { view: Extract<ConsentView, { kind: 'too_many' }> }) {
  const { retryAfterSeconds, retryUrl, cancel } = view;
  return (
    <Refusal title="Too Many Attempts." next={{ label: 'Try again', href: retryUrl }} cancel={cancel}>
      <p>
        This form was sent too many times in a row. Nothing was connected. Wait{' '}
        {pluralize(Math.max(1, retryAfterSeconds), 'second')}, then try again.
      </p>
    </Refusal>
  );
}

type UnknownClientProps = { platformName: string; serviceName: string };

/** Explains a request with an unknown `client_id` or return address, and leads other programs to the developer API. */
export function UnknownClient({ platformName, serviceName }: UnknownClientProps) {
  return (
    <Refusal title="This link didn’t work" next={{ label: 'Go to the inbox', href: '/' }}>
      <p>
        The link that brought you here did not come from {platformName}, or part of it is missing. Nothing was
        connected.
      </p>
      <p>
        If you were connecting {platformName}, go back there and start again. If this page appears again, tell
        its support that {serviceName} did not recognize the request.
      </p>
      <p>
        If you are building your own integration, use the{' '}
        <a href="/docs/developer" className="text-accent-ink underline">
          developer API
        </a>{' '}
        with a token and signed webhooks. {serviceName} accepts one client only, with the client id and return
        address configured by its administrator. See{' '}
        <a href="/docs" className="text-accent-ink underline">
          its API documentation
        </a>
        .
      </p>
    </Refusal>
  );
}

/** Names the owners to ask, with their addresses, or "an owner or admin" when `owners` is empty. */
export function OwnerNames({ owners }: { owners: Askable[] }) {
  if (owners.length === 0) return 'an owner or admin';
  return owners.map(({ name, email }, i) => (
    <Fragment key={email}>
      {i === 0 ? null : i === owners.length - 1 ? ' or ' : ', '}
      <strong className="font-medium text-ink">{name}</strong> ({email})
    </Fragment>
  ));
}
