import { z } from 'zod';
import { textInput } from '#server/contract/text-input.ts';

/** Credential IDs have at most 1,023 bytes (WebAuthn §4). */
const CREDENTIAL_ID_MAX_LENGTH = 1_364;
/** Base64url. */
const encoded = (max: number) => textInput(max, 'answer of the passkey').regex(/^[\w-]*$/);

const credential = z.object({
  id: encoded(CREDENTIAL_ID_MAX_LENGTH).min(1),
  rawId: encoded(CREDENTIAL_ID_MAX_LENGTH).min(1),
  type: z.literal('public-key'),
});

/** A new credential, as `navigator.credentials.create` returns it. */
export const newCredentialInput = credential.extend({
  response: z.object({
    clientDataJSON: encoded(8_000),
    attestationObject: encoded(64_000),
    transports: z
      .array(textInput(20, 'transport').regex(/^[a-z-]+$/))
      .max(10)
      .default([]),
  }),
});

/** A signed challenge, as `navigator.credentials.get` returns it. */
export const assertionInput = credential.extend({
  response: z.object({
    clientDataJSON: encoded(8_000),
    authenticatorData: encoded(8_000),
    signature: encoded(8_000),
    userHandle: encoded(200).optional(),
  }),
});

const PASSKEY_NAME_MAX_LENGTH = 60;
export const passkeyNameInput = textInput(PASSKEY_NAME_MAX_LENGTH);

export type NewCredential = z.infer<typeof newCredentialInput>;
export type Assertion = z.infer<typeof assertionInput>;
