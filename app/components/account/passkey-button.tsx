'use client';

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Alert } from '#app/components/ui/alert.tsx';
import { askForPasskey } from '#app/components/ui/ask-for-passkey.ts';
import { Button } from '#app/components/ui/button.tsx';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

type Props = {
  start: () => Promise<Outcome<PublicKeyCredentialRequestOptionsJSON>>;
  finish: (response: AuthenticationResponseJSON, next: string) => Promise<Outcome<string>>;
  next: string;
  variant?: 'primary' | 'secondary';
  children: ReactNode;
};

/** Asks for a passkey, then loads the target in full, as the sign-in form does. */
export function PasskeyButton({ start, finish, next, variant = 'secondary', children }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A ref, so that a second press before the next render sees it.
  const isRunning = useRef(false);
  const use = async () => {
    const options = await start();
    if (!options.done) return options;
    const response = await askForPasskey(options.value);
    return response.done ? finish(response.value, next) : response;
  };
  const press = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    const outcome = await use().catch(notReached);
    if (outcome.done) return window.location.assign(outcome.value);
    isRunning.current = false;
    setBusy(false);
    setProblem(outcome.problem);
  };
  return (
    <div className="grid gap-4">
      <Button variant={variant} disabled={busy} aria-busy={busy} onClick={press} className="w-full">
        <KeyRound aria-hidden size={16} strokeWidth={1.75} />
        {busy ? 'Waiting for your passkey' : children}
      </Button>
      {problem ? <Alert>{problem}</Alert> : null}
    </div>
  );
}
