'use client';

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Outcome } from '#app/lib/outcome.ts';

const UNSUPPORTED = 'This browser can’t use passkeys here. Use another browser, or another way to sign in.';
const CANCELLED = 'No passkey was used: the request was cancelled or took too long.';
const EXISTS = 'This device or security key already has a passkey of your account.';
const FAILED = 'The passkey could not be used. Try again.';

/** Has the browser create a passkey. */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  return withBrowser(({ startRegistration }) => startRegistration({ optionsJSON }));
}

/** Has the browser sign a challenge with a passkey that the user chooses. */
export function askForPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  return withBrowser(({ startAuthentication }) => startAuthentication({ optionsJSON }));
}

/** Loads the library when a passkey is used: most sign-ins do not need it. */
async function withBrowser<Value>(
  work: (library: typeof import('@simplewebauthn/browser')) => Promise<Value>,
): Promise<Outcome<Value>> {
  try {
    const library = await import('@simplewebauthn/browser');
    if (!library.browserSupportsWebAuthn()) return refused(UNSUPPORTED);
    return { done: true, value: await work(library) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') return refused(CANCELLED);
    return refused(name === 'InvalidStateError' ? EXISTS : FAILED);
  }
}

function refused(problem: string): { done: false; problem: string; fields: Record<string, string> } {
  return { done: false, problem, fields: {} };
}
