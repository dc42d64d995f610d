import { CircleCheck } from 'lucide-react';

const SENTENCES = new Map([
  ['new-password', 'Your new password is saved. Sign in with it.'],
  ['deletion', 'Your account was deleted.'],
  ['joining', 'Your account was created. Sign in with it.'],
]);

/** Shows the result of the action that redirected here, if any. */
export function SignInNotice({ after }: { after: string | undefined }) {
  const sentence = after === undefined ? undefined : SENTENCES.get(after);
  if (!sentence) return null;
  return (
    <p role="status" className="flex gap-2 rounded-lg border p-3">
      <CircleCheck aria-hidden size={18} className="mt-px shrink-0 text-good" />
      {sentence}
    </p>
  );
}
