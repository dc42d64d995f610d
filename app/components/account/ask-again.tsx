import { buttonClass } from '#app/components/ui/button.tsx';

/** Leads to a new link, where this one does not help. */
export function AskAgain() {
  return (
    <a href="/forgot-password" className={buttonClass('primary')}>
      Request a new link
    </a>
  );
}
