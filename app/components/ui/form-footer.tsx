import { Button } from '#app/components/ui/button.tsx';

type Props = {
  /** Puts the form away; without it there is no button for that. */
  onCancel?: () => void;
  /** What the button does that sends the form, and what it says meanwhile. */
  submit: string;
  busy: string;
  pending: boolean;
  variant?: 'primary' | 'danger';
  disabled?: boolean;
};

/** The buttons that end a form in a dialog; on a phone the one that sends it comes first. */
export function FormFooter({ onCancel, submit, busy, pending, variant = 'primary', disabled }: Props) {
  return (
    <div className="flex justify-end gap-2 max-md:flex-col-reverse">
      {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
      <Button type="submit" variant={variant} disabled={disabled} aria-busy={pending}>
        {pending ? busy : submit}
      </Button>
    </div>
  );
}
