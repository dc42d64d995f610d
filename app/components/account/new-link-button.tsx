import { buttonClass } from '#app/components/ui/button.tsx';

export function NewLinkButton() {
  return (
    <a href="/forgot-password" className={buttonClass('primary')}>
      Request a new link
    </a>
  );
}
