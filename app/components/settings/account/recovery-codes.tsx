import { Button } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/ui/copy-button.tsx';

/** Shows recovery codes, once. */
export function RecoveryCodes({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-ink-soft">
        Each code signs you in once, after your password, if you lose your app or passkeys. This is the only
        time you can see them: store them in your password manager, or print them.
      </p>
      <div className="flex items-start justify-between gap-2 rounded-lg border bg-canvas py-2 pr-1 pl-3">
        <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="whitespace-nowrap font-mono text-list">{code}</code>
            </li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} what="recovery codes" />
      </div>
      <div className="flex justify-end max-md:grid">
        <Button variant="primary" onClick={close}>
          I have stored them
        </Button>
      </div>
    </div>
  );
}
