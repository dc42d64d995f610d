import { type ReactNode, useEffect, useRef } from 'react';
import type { SignOn } from '#app/components/account/use-sign-on.ts';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button, buttonClass } from '#app/components/ui/button.tsx';

/**
 * Offers single sign-on in the sign-in form: instead of the password when the domain has it, otherwise below.
 * @param children the password and its button
 */
export function SignOnOffer({ signOn, children }: { signOn: SignOn; children: ReactNode }) {
  const { offeredFor, busy, problem, attempt, choices, submit, choosePassword } = signOn;
  const button = useRef<HTMLButtonElement>(null);
  // The password may have had the focus, and is gone.
  useEffect(() => {
    if (offeredFor !== null && document.activeElement === document.body) button.current?.focus();
  }, [offeredFor]);
  if (choices.length > 0) return <Choices choices={choices} />;
  const isOffered = offeredFor !== null;
  return (
    <>
      {isOffered ? null : children}
      {problem ? <Alert key={attempt}>{problem}</Alert> : null}
      {isOffered ? (
        <p role="status" className="text-ink-soft text-list [overflow-wrap:anywhere]">
          {offeredFor} uses single sign-on.
        </p>
      ) : null}
      <Button
        ref={button}
        type="submit"
        formAction={submit}
        formNoValidate
        variant={isOffered ? 'primary' : 'secondary'}
        disabled={busy}
        aria-busy={busy}
        className="w-full"
      >
        {busy ? 'Opening your provider' : 'Continue with single sign-on'}
      </Button>
      {isOffered ? (
        <Button variant="quiet" onClick={choosePassword} className="w-full">
          Use your password instead
        </Button>
      ) : null}
    </>
  );
}

/** The workspaces that share a domain, each with its own provider. */
function Choices({ choices }: { choices: SignOn['choices'] }) {
  return (
    <div className="grid gap-2">
      <p role="status">Choose the workspace to sign in to.</p>
      <ul className="grid gap-2">
        {choices.map(({ workspaceName, path }) => (
          <li key={path} className="grid">
            <a href={path} className={buttonClass('secondary')}>
              {workspaceName}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
